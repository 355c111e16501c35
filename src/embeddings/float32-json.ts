import type { ByteWriter } from './byte-writer.ts';

/** Most bytes of one number with its comma: float32 have at most 9 digits, and up to 39 places before a point. */
const maxNumberBytes = 48;
const [comma, minus, dot, zero, open, close] = [0x2c, 0x2d, 0x2e, 0x30, 0x5b, 0x5d];
/** Exact as float64, so that one multiplication or division by one of them is correctly rounded. */
const powersOfTen = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);
/** The characters of 00 to 99. */
const tens = Uint8Array.from({ length: 100 }, (_, n) => zero + Math.floor(n / 10));
const ones = Uint8Array.from({ length: 100 }, (_, n) => zero + (n % 10));

/**
 * Writes the JSON array of a vector of finite numbers: of each the shortest decimal that is read as the same float32. That is
 * half as long as what JSON.stringify writes, which tells a number from all float64 ones. −0 becomes 0.
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

/** Writes at `start`, and answers where it ends. */
function writeNumber(value: number, bytes: Buffer, start: number): number {
  const size = Math.abs(value);
  if (!(size >= 1e-5 && size < 1)) return start + bytes.write(shortestText(value), start, 'latin1');
  const leadingZeros = size >= 0.1 ? 0 : size >= 0.01 ? 1 : size >= 0.001 ? 2 : size >= 0.0001 ? 3 : 4;
  // Nine digits tell every float32 from its neighbours, most need eight, and six or fewer are told by their zeros.
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

/** `size` in units of the last of `places` decimal places: at most 10^9, so that it is an int32. */
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

/** Any finite float32, at leisure. */
function shortestText(value: number): string {
  for (let precision = 1; precision < 9; precision++) {
    const rounded = Number(value.toPrecision(precision));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(Number(value.toPrecision(9)));
}
