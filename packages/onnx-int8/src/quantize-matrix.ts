/** Rounds a constant matrix to int8, with one scale for each column. */
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ConstantMatrix } from './constants.ts';
import { NotConvertible } from './convertible.ts';
import { fill } from './data-file.ts';
import { elementTypes } from './onnx-file.ts';
import { maxWeight } from './steps.ts';
import { elementBytes } from './stored-tensor.ts';

export interface QuantizedMatrix {
  /** rows × columns, row-major, from −63 to 63. */
  readonly values: Int8Array;
  /** One for each column. */
  readonly scales: Float32Array;
}

const chunkBytes = 4 << 20;

/**
 * Reads the matrix twice, in chunks: for the scales and for the values. `onBytes` receives the bytes read. Throws a
 * NotConvertible for a number that is not finite.
 */
export async function quantizeMatrix(
  matrix: ConstantMatrix,
  graphFile: string,
  onBytes: (bytes: number) => void,
): Promise<QuantizedMatrix> {
  const { file, from } = matrix.tensor.elements!;
  const handle = await open(file === null ? graphFile : join(dirname(graphFile), file));
  const lines = (visit: VisitLine): Promise<void> => eachLine(matrix, { handle, from, visit, onBytes });
  try {
    const scales = await findScales(matrix, lines);
    return { scales, values: await roundAll(matrix, scales, lines) };
  } finally {
    await handle.close();
  }
}

/** Receives a line of the tensor: a row of the matrix, or a column if it is transposed. */
type VisitLine = (line: Float32Array, index: number) => void;
type EachLine = (visit: VisitLine) => Promise<void>;

async function findScales(
  { tensor, columns, isTransposed }: ConstantMatrix,
  lines: EachLine,
): Promise<Float32Array> {
  const largest = new Float32Array(columns);
  await lines((line, index) => {
    for (let i = 0; i < line.length; i++) {
      const column = isTransposed ? index : i;
      // Math.max keeps a NaN, so the scale shows it.
      largest[column] = Math.max(largest[column]!, Math.abs(line[i]!));
    }
  });
  const scales = largest.map((size) => (size === 0 ? 1 : size / maxWeight));
  if (!scales.every(Number.isFinite)) {
    throw new NotConvertible(`the matrix "${tensor.name}" has a number that is not finite`);
  }
  return scales;
}

async function roundAll(
  { rows, columns, isTransposed }: ConstantMatrix,
  scales: Float32Array,
  lines: EachLine,
): Promise<Int8Array> {
  const values = new Int8Array(rows * columns);
  await lines((line, index) => {
    if (isTransposed) {
      const scale = scales[index]!;
      for (let row = 0; row < rows; row++) values[row * columns + index] = Math.round(line[row]! / scale);
    } else {
      const start = index * columns;
      for (let column = 0; column < columns; column++) {
        values[start + column] = Math.round(line[column]! / scales[column]!);
      }
    }
  });
  return values;
}

interface Reading {
  readonly handle: FileHandle;
  readonly from: number;
  readonly visit: VisitLine;
  readonly onBytes: (bytes: number) => void;
}

async function eachLine(
  { tensor }: ConstantMatrix,
  { handle, from, visit, onBytes }: Reading,
): Promise<void> {
  const [lines = 0, width = 0] = tensor.shape;
  const lineBytes = width * elementBytes[tensor.type]!;
  const linesAtOnce = Math.min(lines, Math.max(1, Math.floor(chunkBytes / lineBytes)));
  const buffer = new ArrayBuffer(linesAtOnce * lineBytes);
  const halves = tensor.type === elementTypes.float16 ? new Float16Array(buffer) : null;
  const numbers = halves ? new Float32Array(halves.length) : new Float32Array(buffer);
  for (let line = 0; line < lines; line += linesAtOnce) {
    const count = Math.min(linesAtOnce, lines - line);
    const bytes = new Uint8Array(buffer, 0, count * lineBytes);
    if ((await fill(handle, bytes, from + line * lineBytes)) < bytes.length)
      throw new RangeError('the end of the file');
    if (halves) numbers.set(halves);
    for (let i = 0; i < count; i++) visit(numbers.subarray(i * width, (i + 1) * width), line + i);
    onBytes(bytes.length);
  }
}
