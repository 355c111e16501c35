/** Splits a text into words, which the model tokenizes one by one. */
import { byteLevel } from './byte-level.ts';
import { classes } from './characters.ts';
import { readPattern } from './normalizer.ts';
import type { Part } from './part.ts';
import { type Behavior, behaviors, type PreTokenizer, split } from './split.ts';

/** A millisecond of work. */
const partUnits = 65_536;

const whiteSpace = new RegExp(classes.whiteSpace, 'gv');
const punctuation = new RegExp(classes.punctuation, 'gv');
const number = new RegExp(classes.number, 'gv');
const wordsOrOthers = new RegExp(`${classes.word}+|[^${classes.word}${classes.whiteSpace}]+`, 'gv');

/** Creates the pre-tokenizer. Throws an error that names an unsupported feature. */
export function createPreTokenizer(part: Part, isFirst = true): PreTokenizer {
  const made = create(part, isFirst);
  // Trimming offsets doesn't affect ids.
  part.end('trim_offsets', 'str_rep');
  return made;
}

function create(part: Part, isFirst: boolean): PreTokenizer {
  const by = (pattern: RegExp, behavior: Behavior, inverted = false): PreTokenizer => {
    return (text) => split(text, pattern, behavior, inverted);
  };
  switch (part.type) {
    case 'Sequence':
      return part
        .parts('pretokenizers')
        .map((one, i) => createPreTokenizer(one, isFirst && i === 0))
        .reduce(inSequence, (text) => [text]);
    case 'BertPreTokenizer':
      return inSequence(by(whiteSpace, 'Removed'), by(punctuation, 'Isolated'));
    case 'ByteLevel':
      return byteLevel(part);
    case 'Metaspace':
      return metaspace(part, isFirst);
    case 'Split':
      return by(readPattern(part), part.oneOf('behavior', behaviors), part.boolean('invert'));
    case 'Punctuation':
      return by(punctuation, part.oneOf('behavior', behaviors, 'Isolated'));
    case 'Digits':
      return by(number, part.boolean('individual_digits') ? 'Isolated' : 'Contiguous');
    case 'WhitespaceSplit':
      return by(whiteSpace, 'Removed');
    case 'Whitespace':
      return by(wordsOrOthers, 'Removed', true);
    default:
      return part.refuse('this pre_tokenizer is not supported');
  }
}

function inSequence(before: PreTokenizer, after: PreTokenizer): PreTokenizer {
  return function* (text, isStart) {
    for (const piece of before(text, isStart)) {
      if (piece === undefined) yield undefined;
      else yield* after(piece, isStart);
    }
  };
}

const schemes = ['always', 'first', 'never'] as const;

function metaspace(part: Part, isFirst: boolean): PreTokenizer {
  const mark = part.string('replacement');
  const scheme = part.oneOf('prepend_scheme', schemes, 'always');
  const isSplit = part.boolean('split', true);
  const adds = part.boolean('add_prefix_space', true);
  if ([...mark].length !== 1) part.refuse('"replacement" is not one character');
  if (!adds && scheme !== 'never')
    part.refuse('"add_prefix_space" and "prepend_scheme" contradict each other');
  if (scheme === 'first' && !isFirst) part.refuse('"prepend_scheme" is "first" after another pre_tokenizer');
  const pattern = new RegExp(`[ \\u{${mark.codePointAt(0)!.toString(16)}}]`, 'gv');
  // Done per piece: replacing all spaces of a text of millions of characters takes longer than a step may take.
  const marked = (piece: string, begins: boolean): string => {
    if (piece.startsWith(' ')) return mark + piece.slice(1);
    return begins && !piece.startsWith(mark) ? mark + piece : piece;
  };
  const begins = (isStart: boolean): boolean => scheme === 'always' || (scheme === 'first' && isStart);
  if (!isSplit) {
    return function* (text, isStart) {
      const parts: string[] = [];
      for (let start = 0; start < text.length; start += partUnits) {
        parts.push(text.slice(start, start + partUnits).replaceAll(' ', mark));
        yield undefined;
      }
      yield marked(parts.join(''), begins(isStart));
    };
  }
  return function* (text, isStart) {
    let isFirst = true;
    for (const piece of split(text, pattern, 'MergedWithNext')) {
      if (piece === undefined) yield undefined;
      else {
        yield marked(piece, isFirst && begins(isStart));
        isFirst = false;
      }
    }
  };
}
