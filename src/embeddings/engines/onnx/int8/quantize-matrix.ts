/** Rounds a constant matrix to int8, with one scale for each column. */
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { elementTypes } from '../../onnx-writer/onnx-file.ts';
import { bytesPerElement, type ConstantMatrix } from './constants.ts';

export interface QuantizedMatrix {
  /** rows × columns, row-major, from −63 to 63. */
  readonly values: Int8Array;
  /** One for each column. */
  readonly scales: Float32Array;
}

/**
 * 7 bits. CPUs without VNNI add two products of a uint8 and an int8 in 16 bits, and cut off what doesn't fit:
 * 2 × 255 × 63 fits, 2 × 255 × 127 doesn't. So the sums are exact, and the same on every CPU.
 */
const maxWeight = 63;
const chunkBytes = 4 << 20;

/** Reads the matrix twice, in chunks: for the scales and for the values. `onBytes` receives the bytes read. */
export async function quantizeMatrix(
  matrix: ConstantMatrix,
  graphFile: string,
  onBytes: (bytes: number) => void,
): Promise<QuantizedMatrix> {
  const { rows, columns } = matrix;
  const { file, from } = matrix.tensor.elements!;
  const handle = await open(file === null ? graphFile : join(dirname(graphFile), file));
  try {
    const largest = new Float32Array(columns);
    await eachLine(
      matrix,
      handle,
      from,
      (value, _row, column) => {
        // Also for NaN, which Math.max keeps.
        largest[column] = Math.max(largest[column]!, Math.abs(value));
      },
      onBytes,
    );
    const scales = largest.map((size) => (size === 0 ? 1 : size / maxWeight));
    if (!scales.every(Number.isFinite)) throw new NotFinite();
    const values = new Int8Array(rows * columns);
    await eachLine(
      matrix,
      handle,
      from,
      (value, row, column) => {
        values[row * columns + column] = Math.round(value / scales[column]!);
      },
      onBytes,
    );
    return { values, scales };
  } finally {
    await handle.close();
  }
}

/** The error for a matrix with a number that is not finite. */
export class NotFinite extends Error {}

type Visit = (value: number, row: number, column: number) => void;

async function eachLine(
  { tensor, isTransposed }: ConstantMatrix,
  handle: FileHandle,
  from: number,
  visit: Visit,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const [lines = 0, width = 0] = tensor.shape;
  const elementBytes = bytesPerElement(tensor.type);
  const lineBytes = width * elementBytes;
  const linesAtOnce = Math.max(1, Math.floor(chunkBytes / lineBytes));
  const buffer = new ArrayBuffer(Math.min(lines, linesAtOnce) * lineBytes);
  const numbers = tensor.type === elementTypes.float16 ? new Float16Array(buffer) : new Float32Array(buffer);
  for (let line = 0; line < lines; line += linesAtOnce) {
    const count = Math.min(linesAtOnce, lines - line);
    const bytes = new Uint8Array(buffer, 0, count * lineBytes);
    await readFully(handle, bytes, from + line * lineBytes);
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < width; j++) {
        const value = numbers[i * width + j]!;
        if (isTransposed) visit(value, j, line + i);
        else visit(value, line + i, j);
      }
    }
    onBytes(bytes.length);
  }
}

async function readFully(handle: FileHandle, into: Uint8Array, from: number): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await handle.read(into, done, into.length - done, from + done);
    if (bytesRead === 0) throw new RangeError('the end of the file');
    done += bytesRead;
  }
}
