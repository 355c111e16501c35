// The blocks of all characters that Unicode decomposes into more than four times their units: "㌖" into 6, "ﷺ" into 18.
const blocks = [
  { first: 0x3200, last: 0x33ff },
  { first: 0xfb00, last: 0xfdff },
];
/** Takes microseconds for a Latin-1 string of megabytes, because V8 sees that none of its characters can match. */
const inBlocks = /[\u3200-\u33ff\ufb00-\ufdff]/;
/** By how many units the decomposition of a character is longer than the character. */
const additional = new Uint8Array(0x1_0000);
for (const { first, last } of blocks) {
  for (let code = first; code <= last; code += 1) {
    additional[code] = String.fromCharCode(code).normalize('NFKD').length - 1;
  }
}

/**
 * Returns the number of UTF-16 units of a text, with its longest ligatures decomposed, as many tokenizers read them.
 */
export function expandedUnits(text: string): number {
  if (!inBlocks.test(text)) return text.length;
  let units = text.length;
  for (let i = 0; i < text.length; i += 1) units += additional[text.charCodeAt(i)]!;
  return units;
}
