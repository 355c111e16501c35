/**
 * Finds words lazily. Yields undefined now and then during long work. `isStart` says whether `text` is the beginning of
 * the whole text.
 */
export type PreTokenizer = (text: string, isStart: boolean) => Iterable<string | undefined>;

/** What happens to a match: it is a piece, is removed, joins adjacent matches, or joins the previous or next piece. */
export const behaviors = [
  'Isolated',
  'Removed',
  'Contiguous',
  'MergedWithPrevious',
  'MergedWithNext',
] as const;
export type Behavior = (typeof behaviors)[number];

/** Several milliseconds of work for a split that yields no pieces. */
const stretchesPerTurn = 4_096;

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly isMatch: boolean;
}

/**
 * Yields the pieces of a text, none of them empty, and undefined now and then during long work. `inverted` swaps
 * matches and the text between them.
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
      // A piece that has absorbed a match doesn't absorb another.
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
