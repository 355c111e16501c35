// ICU sorts the marks after a letter by insertion, in quadratic time: 400,000 of them take 42 s. Unicode's stream-safe
// format (UAX #15, section 13) limits the run to 30, enough for all writing systems. Artistic use of marks needs more.
const maxMarks = 256;
// U+FF9E and U+FF9F are the only characters outside \p{M} whose NFKC form starts with a mark.
const mark = '[\\p{M}\\uff9e\\uff9f]';
const longRun = new RegExp(`${mark}{${maxMarks}}`, 'gu');

/** Characters that normalization can join to the previous one: marks, and all Hangul vowels and final consonants. */
const joinsWhatIsBefore = /^[\p{M}\u1160-\u11ff\u3131-\u318e\ud7b0-\ud7fb\uff9e-\uffdc]/u;
// A tokenizer takes a millisecond or two to process a part.
const partUnits = 4_096;

/**
 * Yields the NFKC form of a text in parts of several thousand UTF-16 units, in linear time. Runs of more than 256
 * combining marks are normalized in pieces of 256.
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

/** Returns the next index that normalization doesn't cross, or after `partUnits` more, the next character boundary. */
export function endOfPart(text: string, from: number): number {
  const limit = Math.min(text.length, from + partUnits);
  let end = from;
  while (end < limit && (isInsidePair(text, end) || joinsWhatIsBefore.test(text.slice(end, end + 2))))
    end += 1;
  return isInsidePair(text, end) ? end + 1 : end;
}

/** Reports whether an index is between the two halves of a surrogate pair. */
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
