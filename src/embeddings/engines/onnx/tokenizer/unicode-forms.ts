import { classes } from './characters.ts';

// ICU sorts the marks of a run by insertion, in quadratic time: 400,000 of them take 42 s.
const longRun = /\p{M}{32,}/gv;

// One mark of each combining class, in the order of the classes.
const examples = Array.from(
  '\u0334\u{16ff0}\u093c\u3099\u094d\u05b0\u05b1\u05b2\u05b3\u05b4\u05b5\u05b6\u05b7\u05b8\u05b9\u05bb\u05bc\u05bd\u05bf\u05c1\u05c2\ufb1e\u064b\u064c\u064d\u0618\u0619\u061a\u0651\u0652\u0670\u0711\u0c55\u0c56\u0e38\u0e48\u0eb8\u0ec8\u0f71\u0f72\u0f74\u0321\u1dce\u031b\u1dfa\u0316\u059a\u302e\u{1d16d}\u05ae\u0300\u0315\u035c\u035d\u0345',
);

/** Decomposes and sorts long runs of marks. All normalization forms stay the same, and then take linear time. */
function orderLongRuns(text: string): string {
  return text.replace(longRun, (run) => {
    let ordered = '';
    let byClass: string[][] = [];
    const take = (): void => {
      ordered += byClass.map((marks) => marks?.join('') ?? '').join('');
      byClass = [];
    };
    for (const mark of run) {
      for (const part of decomposed(mark)) {
        const at = classOf(part);
        if (at === 0) {
          take();
          ordered += part;
        } else {
          byClass[at] ??= [];
          byClass[at].push(part);
        }
      }
    }
    take();
    return ordered;
  });
}

const knownClasses = new Map<string, number>();

const decomposed = (mark: string): string => mark.normalize('NFD');

/** Returns the rank of a mark's combining class among all classes, from 1, or 0 for a mark that is never reordered. */
function classOf(mark: string): number {
  let place = knownClasses.get(mark);
  if (place === undefined) {
    const last = examples.at(-1)!;
    const lower = examples.filter((example) => decomposed(mark + example) !== mark + example).length;
    const moves = lower > 0 || decomposed(last + mark) !== last + mark;
    place = moves ? lower + 1 : 0;
    knownClasses.set(mark, place);
  }
  return place;
}

export type UnicodeForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

const untouched = new RegExp(`(${classes.notNormalized})`, 'v');

/** Returns the normalization form of a short text. */
export function normalized(text: string, form: UnicodeForm): string {
  const ordered = orderLongRuns(text);
  if (!untouched.test(ordered)) return ordered.normalize(form);
  return ordered
    .split(untouched)
    .map((part, i) => (i % 2 === 1 ? part : part.normalize(form)))
    .join('');
}
