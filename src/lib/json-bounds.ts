/** Shorter texts can't have too many values, and are parsed in a fraction of a millisecond. */
export const smallJsonBytes = 8 << 10;
/** Four times as many arrays and objects as in the largest request, which has 2,048 texts and a few fields. */
const maxElements = 8_192;
/** More than the numbers of 1,000 texts of 300 token ids. */
const maxSeparators = 400_000;
/**
 * Four times as many names as in 1,000 documents of four fields. An object with many names takes far longer than a
 * list.
 */
const maxNames = 16_384;
const shown = (count: number): string => count.toLocaleString('en-US');
const excess = `more than ${shown(maxElements)} lists and objects, ${shown(maxNames)} names or ${shown(maxSeparators)} values, more than any request needs`;

/** Returns what a JSON text has too much of to be parsed in one turn of the event loop, in words, or undefined. */
export function excessOf(json: Buffer): string | undefined {
  return json.length > smallJsonBytes && hasMoreElements(json) ? excess : undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const bracket = 0x5b;
const brace = 0x7b;

/**
 * Reports whether a JSON text has more arrays and objects, names, or separators than any request needs. JSON.parse
 * would create an object for each array: four million nested arrays would block the event loop for seconds. Takes a
 * few milliseconds for four megabytes.
 */
function hasMoreElements(json: Buffer): boolean {
  let elements = 0;
  let separators = 0;
  let names = 0;
  let isInText = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (isInText) {
      if (byte === backslash) i += 1;
      else if (byte === quote) isInText = false;
    } else if (byte === quote) isInText = true;
    else if (byte === comma) separators += 1;
    else if (byte === colon) names += 1;
    else if (byte === bracket || byte === brace) elements += 1;
    if (elements > maxElements || separators > maxSeparators || names > maxNames) return true;
  }
  return false;
}
