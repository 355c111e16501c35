import { elementTypes } from '../../onnx-writer/onnx-file.ts';

/**
 * Reports whether float32 or float16 elements (little-endian) contain a NaN. The largest number of a row ignores it, so
 * in int8 it could become an ordinary number. An infinity can be part of a mask.
 */
export function hasNaN(type: number, bytes: Uint8Array): boolean {
  if (type !== elementTypes.float32 && type !== elementTypes.float16) return false;
  // A copy, because the elements need not be aligned.
  const { buffer } = new Uint8Array(bytes);
  const numbers = type === elementTypes.float16 ? new Float16Array(buffer) : new Float32Array(buffer);
  return numbers.some(Number.isNaN);
}
