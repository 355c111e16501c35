import type { ByteWriter } from './byte-writer.ts';

/** Upper bound for one number with its comma: a float32 has at most 9 digits, and up to 39 places before the point. */
const maxNumberBytes = 48;
const [comma, minus, dot, zero, open, close] = [0x2c, 0x2d, 0x2e, 0x30, 0x5b, 0x5d];
/** All exact as float64, so a single multiplication or division by one of them is correctly rounded. */
const powersOfTen = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);
/** The digit characters of the numbers 00 to 99. */
const tens = Uint8Array.from({ length: 100 }, (_, n) => zero + Math.floor(n / 10));
const ones = Uint8Array.from({ length: 100 }, (_, n) => zero + (n % 10));

/**
 * Writes a vector of finite numbers as a JSON array, each as the shortest decimal that parses to the same float32.
 * That is half as long as JSON.stringify's output, which has enough digits to identify a float64. −0 becomes 0.
 */
export function writeFloat32Json(vector: Float32Array, writer: ByteWriter): void {
  const bytes = writer.reserve(vector.length * maxNumberBytes + 2);
  let end = writer.end;
  bytes[end++] = open;
  for (let i = 0; i < vector.length; i++) {
    if (i > 0) bytes[end++] = comma;
    end = writeNumber(vector[i]!, bytes, end);
  }
  bytes[end++] = close;
  writer.end = end;
}

/** Writes a number at `start`, and returns the position after it. */
function writeNumber(value: number, bytes: Buffer, start: number): number {
  const size = Math.abs(value);
  if (!(size >= 1e-5 && size < 1)) return start + bytes.write(shortestText(value), start, 'latin1');
  const leadingZeros = size >= 0.1 ? 0 : size >= 0.01 ? 1 : size >= 0.001 ? 2 : size >= 0.0001 ? 3 : 4;
  // Nine digits identify every float32, and most need eight. A number with six or fewer has trailing zeros here.
  let places = leadingZeros + 9;
  let digits = digitsOf(size, places);
  while (places > leadingZeros + 6) {
    const fewer = digitsOf(size, places - 1);
    if (Math.fround(fewer / powersOfTen[places - 1]!) !== size) break;
    digits = fewer;
    places -= 1;
  }
  while (digits % 10 === 0) {
    digits /= 10;
    places -= 1;
  }
  let at = start;
  if (value < 0) bytes[at++] = minus;
  bytes[at++] = zero;
  bytes[at++] = dot;
  return writeFraction(digits, places, bytes, at);
}

/** Returns `size` rounded to `places` decimal places, in units of the last place: at most 10^9, so it fits an int32. */
function digitsOf(size: number, places: number): number {
  return (size * powersOfTen[places]! + 0.5) | 0;
}

function writeFraction(digits: number, places: number, bytes: Buffer, start: number): number {
  const end = start + places;
  let at = end;
  let rest = digits;
  while (at - start >= 2) {
    const higher = (rest / 100) | 0;
    const pair = rest - higher * 100;
    bytes[--at] = ones[pair]!;
    bytes[--at] = tens[pair]!;
    rest = higher;
  }
  if (at > start) bytes[--at] = zero + rest;
  return end;
}

/** Returns the shortest decimal of any finite float32. Slow; used for the rare numbers outside [1e-5, 1). */
function shortestText(value: number): string {
  for (let precision = 1; precision < 9; precision++) {
    const rounded = Number(value.toPrecision(precision));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(Number(value.toPrecision(9)));
}
