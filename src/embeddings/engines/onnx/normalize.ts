// ICU orders the marks after a letter by insertion, in quadratic time: 400,000 of them take 42 s. Unicode's answer,
// the stream-safe format (UAX #15, section 13), is to bound the run; 30 are enough for all writing, art gets more.
const maxMarks = 256;
// U+FF9E and U+FF9F are the only characters outside of \p{M} whose NFKC form starts with a mark.
const mark = '[\\p{M}\\uff9e\\uff9f]';
const longRun = new RegExp(`${mark}{${maxMarks}}`, 'gu');
const moreMarks = new RegExp(`(${mark}{${maxMarks}})${mark}+`, 'gu');

/**
 * Unicode normalisation form KC, in linear time: runs of more than 256 combining marks are normalised
 * in pieces of 256.
 */
export function normalizeNfkc(text: string): string {
  let normalized = '';
  let start = 0;
  for (const run of text.matchAll(longRun)) {
    const end = run.index + run[0].length;
    normalized += text.slice(start, end).normalize('NFKC');
    start = end;
  }
  return normalized + text.slice(start).normalize('NFKC');
}

/**
 * The same text, with runs of combining marks cut after 256: for a normalisation that can't be done in pieces. No vocabulary
 * has such a run, and what follows it stays.
 */
export function cutMarks(text: string): string {
  return text.replace(moreMarks, '$1');
}
