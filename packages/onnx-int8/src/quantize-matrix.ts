/** Rounds a constant matrix to int8, with one scale for each column, or for each row of a table. */
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ConstantMatrix } from './constants.ts';
import { NotConvertible } from './convertible.ts';
import { fill } from './data-file.ts';
import { elementTypes } from './onnx-file.ts';
import { maxWeight, signedSteps } from './steps.ts';
import { elementBytes } from './stored-tensor.ts';

export interface QuantizedMatrix {
  /** rows × columns, row-major, from −63 to 63, or to 127 in a table. */
  readonly values: Int8Array;
  /** One for each column, or for each row of a table. */
  readonly scales: Float32Array;
}

const chunkBytes = 4 << 20;

/** How a matrix is read. */
interface Source {
  readonly graphFile: string;
  /** What each row is multiplied by. Default: 1. */
  readonly factors: Float32Array | undefined;
  /** Receives the number of bytes read. */
  readonly onBytes: (bytes: number) => void;
  /** Whether it is a table whose rows are looked up. */
  readonly isTable: boolean;
}

/**
 * Reads the matrix twice, in chunks: for the scales and for the values. Throws a NotConvertible for a number that is
 * not finite, but an infinity in a table only makes its row NaN.
 */
export async function quantizeMatrix(matrix: ConstantMatrix, source: Source): Promise<QuantizedMatrix> {
  const scales = await findScales(matrix, source);
  return { scales, values: await roundAll(matrix, scales, source) };
}

/** Returns the largest absolute value of each row or column; NaN where there is one. */
export async function largestOf(
  matrix: ConstantMatrix,
  graphFile: string,
  of: 'rows' | 'columns',
): Promise<Float32Array> {
  return findLargest(matrix, { graphFile, factors: undefined, onBytes: () => {}, isTable: false }, of);
}

async function findLargest(
  matrix: ConstantMatrix,
  source: Source,
  of: 'rows' | 'columns',
): Promise<Float32Array> {
  const largest = new Float32Array(matrix[of]);
  const isOfLine = (of === 'columns') === matrix.isTransposed;
  await eachLine(matrix, source, (line, index) => {
    for (let i = 0; i < line.length; i++) {
      const place = isOfLine ? index : i;
      // Math.max keeps a NaN.
      largest[place] = Math.max(largest[place]!, Math.abs(line[i]!));
    }
  });
  return largest;
}

async function findScales(matrix: ConstantMatrix, source: Source): Promise<Float32Array> {
  const { isTable } = source;
  const largest = await findLargest(matrix, source, isTable ? 'rows' : 'columns');
  const scales = largest.map((size) => (size === 0 ? 1 : size / (isTable ? signedSteps : maxWeight)));
  if (scales.some((scale) => Number.isNaN(scale) || (scale === Number.POSITIVE_INFINITY && !isTable))) {
    throw new NotConvertible(`the matrix "${matrix.tensor.name}" has a number that is not finite`);
  }
  return scales;
}

async function roundAll(matrix: ConstantMatrix, scales: Float32Array, source: Source): Promise<Int8Array> {
  const { rows, columns, isTransposed } = matrix;
  const values = new Int8Array(rows * columns);
  await eachLine(matrix, source, (line, index) => {
    for (let i = 0; i < line.length; i++) {
      const [row, column] = isTransposed ? [i, index] : [index, i];
      values[row * columns + column] = Math.round(line[i]! / scales[source.isTable ? row : column]!);
    }
  });
  return values;
}

/** Receives a line of the tensor: a row of the matrix, or a column if it is transposed. */
type VisitLine = (line: Float32Array, index: number) => void;

async function eachLine(
  matrix: ConstantMatrix,
  { graphFile, factors, onBytes }: Source,
  visit: VisitLine,
): Promise<void> {
  const { tensor, isTransposed } = matrix;
  const { file, from } = tensor.elements!;
  await using handle = await open(file === null ? graphFile : join(dirname(graphFile), file));
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
    for (let i = 0; i < count; i++) {
      const values = numbers.subarray(i * width, (i + 1) * width);
      if (factors) multiply(values, (at) => factors[isTransposed ? at : line + i]!);
      visit(values, line + i);
    }
    onBytes(bytes.length);
  }
}

function multiply(values: Float32Array, factorOf: (at: number) => number): void {
  for (let i = 0; i < values.length; i++) values[i]! *= factorOf(i);
}
