/** Shorter texts can't have too many values. */
const smallBytes = 64 << 10;
/** Four times as many arrays and objects as in the largest request, which has 2,048 texts and a few fields. */
const maxElements = 8_192;
/** More than the numbers of 1,000 texts of 300 token ids. */
const maxSeparators = 400_000;
const excess = `more than ${maxElements.toLocaleString('en-US')} lists and objects or ${maxSeparators.toLocaleString('en-US')} values, more than any request needs`;

/** Returns what a JSON text has too much of to be parsed in one turn of the event loop, in words, or undefined. */
export function excessOf(json: Buffer): string | undefined {
  return json.length > smallBytes && hasMoreElements(json) ? excess : undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const bracket = 0x5b;
const brace = 0x7b;

/**
 * Reports whether a JSON text has more arrays and objects, or more separators, than any request needs. JSON.parse would
 * create an object for each: four million nested arrays would block the event loop for seconds. Takes a few milliseconds
 * for four megabytes.
 */
function hasMoreElements(json: Buffer): boolean {
  let elements = 0;
  let separators = 0;
  let isInText = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (isInText) {
      if (byte === backslash) i += 1;
      else if (byte === quote) isInText = false;
    } else if (byte === quote) isInText = true;
    else if (byte === comma) separators += 1;
    else if (byte === bracket || byte === brace) elements += 1;
    if (elements > maxElements || separators > maxSeparators) return true;
  }
  return false;
}
