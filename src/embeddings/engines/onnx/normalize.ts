// ICU orders the marks after a letter by insertion, in quadratic time: 400,000 of them take 42 s. Unicode's answer,
// the stream-safe format (UAX #15, section 13), is to bound the run; 30 are enough for all writing, art gets more.
const maxMarks = 256;
// U+FF9E and U+FF9F are the only characters outside of \p{M} whose NFKC form starts with a mark.
const mark = '[\\p{M}\\uff9e\\uff9f]';
const longRun = new RegExp(`${mark}{${maxMarks}}`, 'gu');

/** What normalisation may join to the character before it: marks, and the vowels and final consonants of Hangul, in every form. */
const joinsWhatIsBefore = /^[\p{M}\u1160-\u11ff\u3131-\u318e\ud7b0-\ud7fb\uff9e-\uffdc]/u;
// A millisecond or two, for all that a tokenizer does with it.
const partUnits = 4_096;

/**
 * The Unicode normalisation form KC of a text, in parts of some thousand UTF-16 units, in linear time. Runs of more than 256 combining
 * marks are normalised in pieces of 256.
 */
export function* normalizedParts(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > partUnits) {
    const end = endOfPart(text, start + partUnits);
    yield normalizeNfkc(text.slice(start, end));
    start = end;
  }
  yield normalizeNfkc(text.slice(start));
}

/** The next place that normalisation doesn't reach across. After as many units again, any place between two characters will do. */
export function endOfPart(text: string, from: number): number {
  const limit = Math.min(text.length, from + partUnits);
  let end = from;
  while (end < limit && (isInsidePair(text, end) || joinsWhatIsBefore.test(text.slice(end, end + 2))))
    end += 1;
  return isInsidePair(text, end) ? end + 1 : end;
}

/** Whether a place in a text, in UTF-16 units from its start, is between the two halves of one character. */
const isInsidePair = (text: string, at: number): boolean =>
  at > 0 && at < text.length && text.codePointAt(at - 1)! > 0xffff;

function normalizeNfkc(text: string): string {
  let normalized = '';
  let start = 0;
  for (const run of text.matchAll(longRun)) {
    const end = run.index + run[0].length;
    normalized += text.slice(start, end).normalize('NFKC');
    start = end;
  }
  return normalized + text.slice(start).normalize('NFKC');
}
