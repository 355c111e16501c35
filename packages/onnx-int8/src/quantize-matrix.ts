/** Rounds a constant matrix to int8, with one scale for each column, or for each row of a table. */
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NotConvertible } from './convertible.ts';
import { fill } from './data-file.ts';
import { type Matrix, widened } from './safetensors.ts';
import { maxWeight, signedSteps } from './steps.ts';
import { elementBytes } from './stored-tensor.ts';

export interface QuantizedMatrix {
  /** rows × columns, row-major, from −63 to 63, or to 127 in a table. */
  readonly values: Int8Array;
  /** One for each column, or for each row of a table. */
  readonly scales: Float32Array;
  /** Weights that are far above their column, by columns. They are 0 in `values`, so that they set no scale. */
  readonly apart: readonly ApartWeight[];
}

/** A weight as the matrix has it, without factors. */
export interface ApartWeight {
  readonly row: number;
  readonly column: number;
  readonly value: number;
}

/**
 * A weight is kept apart if it is larger than this many times the mean of its column. So it never happens in a column
 * of fewer rows, and a column has few. all-mpnet-base-v2 has 39 of 85 million, up to 1,300 times the mean.
 */
const maxSpread = 64;

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
export async function quantizeMatrix(matrix: Matrix, source: Source): Promise<QuantizedMatrix> {
  const { largest, sums } = await sizesOf(matrix, source);
  // No weight is above infinity.
  const bounds = sums.map((sum) =>
    source.isTable ? Number.POSITIVE_INFINITY : (sum * maxSpread) / matrix.rows,
  );
  const apart = largest.some((size, i) => size > bounds[i]!)
    ? await findApart(matrix, source, { largest, bounds })
    : [];
  const scales = scalesOf(matrix, source, largest);
  const values = await roundAll(matrix, scales, source);
  for (const { row, column } of apart) values[row * matrix.columns + column] = 0;
  return { scales, values, apart };
}

/** Returns the rows that have weights apart, and a matrix of only these rows with these weights. */
export function denseOf(
  apart: readonly ApartWeight[],
  columns: number,
): { rows: number[]; values: Float32Array } {
  const rows = [...new Set(apart.map(({ row }) => row))].sort((a, b) => a - b);
  const values = new Float32Array(rows.length * columns);
  for (const { row, column, value } of apart) values[rows.indexOf(row) * columns + column] = value;
  return { rows, values };
}

/** Returns the largest absolute value of each row; NaN where there is one. */
export async function largestOfRows(matrix: Matrix, graphFile: string): Promise<Float32Array> {
  const source = { graphFile, factors: undefined, onBytes: () => {}, isTable: true };
  return (await sizesOf(matrix, source)).largest;
}

/** Returns the largest absolute value and the sum of absolute values of each line that has a scale. */
async function sizesOf(matrix: Matrix, source: Source) {
  const of = source.isTable ? 'rows' : 'columns';
  const count = matrix[of];
  const [largest, sums] = [new Float32Array(count), new Float64Array(count)];
  const isOfLine = (of === 'columns') === matrix.isTransposed;
  await eachLine(matrix, source, (line, index) => {
    for (let i = 0; i < line.length; i++) {
      const [place, size] = [isOfLine ? index : i, Math.abs(line[i]!)];
      // Math.max keeps a NaN.
      largest[place] = Math.max(largest[place]!, size);
      sums[place]! += size;
    }
  });
  return { largest, sums };
}

/** Returns the weights above the bounds of their columns, and sets `largest` to the largest of the others. */
async function findApart(
  matrix: Matrix,
  source: Source,
  { largest, bounds }: { largest: Float32Array; bounds: Float64Array },
): Promise<ApartWeight[]> {
  const apart: ApartWeight[] = [];
  const usual = new Float32Array(largest.length);
  await eachLine(matrix, source, (line, index) => {
    for (let i = 0; i < line.length; i++) {
      const [row, column] = matrix.isTransposed ? [i, index] : [index, i];
      const size = Math.abs(line[i]!);
      if (size > bounds[column]!) apart.push({ row, column, value: line[i]! / (source.factors?.[row] ?? 1) });
      else usual[column] = Math.max(usual[column]!, size);
    }
  });
  largest.forEach((size, column) => {
    if (size > bounds[column]!) largest[column] = usual[column]!;
  });
  return apart.sort((a, b) => a.column - b.column || a.row - b.row);
}

function scalesOf(matrix: Matrix, { isTable }: Source, largest: Float32Array): Float32Array {
  const scales = largest.map((size) => (size === 0 ? 1 : size / (isTable ? signedSteps : maxWeight)));
  if (scales.some((scale) => Number.isNaN(scale) || (scale === Number.POSITIVE_INFINITY && !isTable))) {
    throw new NotConvertible(`the matrix "${matrix.tensor.name}" has a number that is not finite`);
  }
  return scales;
}

async function roundAll(matrix: Matrix, scales: Float32Array, source: Source): Promise<Int8Array> {
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
  matrix: Matrix,
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
  for (let line = 0; line < lines; line += linesAtOnce) {
    const count = Math.min(linesAtOnce, lines - line);
    const bytes = new Uint8Array(buffer, 0, count * lineBytes);
    if ((await fill(handle, bytes, from + line * lineBytes)) < bytes.length)
      throw new RangeError('the end of the file');
    const numbers = widened(buffer, tensor.type);
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
