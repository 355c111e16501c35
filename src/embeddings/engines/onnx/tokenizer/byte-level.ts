import type { Part } from './part.ts';
import { oniguruma } from './pattern.ts';
import { type PreTokenizer, split } from './split.ts';

const words = oniguruma("'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+");
const printable = /^[!-~]*$/;
const partUnits = 8_192;

/** GPT-2's characters for bytes: printable ones represent themselves, the others are numbered from U+0100. */
const unitOfByte = Uint16Array.from({ length: 256 }, (_, byte) => byte);
let next = 0x100;
for (let byte = 0; byte < 256; byte++) {
  const isPrinted = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  if (!isPrinted) unitOfByte[byte] = next++;
}

export function byteLevel(part: Part): PreTokenizer {
  const addsSpace = part.boolean('add_prefix_space');
  const isSplit = part.boolean('use_regex', true);
  return function* (text) {
    const spaced = addsSpace && !text.startsWith(' ') ? ` ${text}` : text;
    if (!isSplit) yield* inBytes(spaced);
    else {
      for (const word of split(spaced, words, 'Isolated')) {
        if (word === undefined) yield undefined;
        else yield* inBytes(word);
      }
    }
  };
}

function* inBytes(text: string): Generator<string | undefined> {
  if (text.length <= partUnits) return yield unitsOf(text);
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + partUnits, text.length);
    if (end < text.length && text.codePointAt(end - 1)! > 0xffff) end += 1;
    parts.push(unitsOf(text.slice(start, end)));
    start = end;
    yield undefined;
  }
  yield parts.join('');
}

function unitsOf(text: string): string {
  if (printable.test(text)) return text;
  const units = Uint16Array.from(Buffer.from(text), (byte) => unitOfByte[byte]!);
  return String.fromCharCode.apply(null, units as unknown as number[]);
}
