/** Finds the words as they are asked for; undefined where there is none yet after some work. `isStart`: the text begins the whole. */
export type PreTokenizer = (text: string, isStart: boolean) => Iterable<string | undefined>;

/** What is done with a match: it is a piece, gone, one with its neighbours of the same kind, or one with the piece beside it. */
export const behaviors = [
  'Isolated',
  'Removed',
  'Contiguous',
  'MergedWithPrevious',
  'MergedWithNext',
] as const;
export type Behavior = (typeof behaviors)[number];

/** Some milliseconds of work, for a split that yields no pieces meanwhile. */
const stretchesPerTurn = 4_096;

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly isMatch: boolean;
}

/**
 * The pieces of a text, one after the other, none of them empty; undefined where there is none yet after some work. `inverted`: what
 * doesn't match counts as the match.
 */
export function* split(
  text: string,
  pattern: RegExp,
  behavior: Behavior,
  inverted = false,
): Generator<string | undefined> {
  let held: Stretch | undefined;
  let worked = 0;
  for (const { start, end, isMatch } of stretches(text, pattern, inverted)) {
    if (++worked % stretchesPerTurn === 0) yield undefined;
    if (held && joins(held, isMatch, behavior)) {
      // What has taken a match in takes no second one.
      held = { start: held.start, end, isMatch: behavior === 'MergedWithPrevious' ? true : isMatch };
      continue;
    }
    if (held && !(behavior === 'Removed' && held.isMatch)) yield text.slice(held.start, held.end);
    held = { start, end, isMatch };
  }
  if (held && !(behavior === 'Removed' && held.isMatch)) yield text.slice(held.start, held.end);
}

function joins(before: Stretch, isMatch: boolean, behavior: Behavior): boolean {
  if (behavior === 'Contiguous') return before.isMatch === isMatch;
  if (behavior === 'MergedWithPrevious') return isMatch && !before.isMatch;
  return behavior === 'MergedWithNext' && before.isMatch && !isMatch;
}

function* stretches(text: string, pattern: RegExp, inverted: boolean): Generator<Stretch> {
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    const start = match.index;
    if (start > last) yield { start: last, end: start, isMatch: inverted };
    last = start + match[0].length;
    if (last > start) yield { start, end: last, isMatch: !inverted };
  }
  if (last < text.length) yield { start: last, end: text.length, isMatch: inverted };
}
