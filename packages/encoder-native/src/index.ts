/** Computes encoders with a kernel in C++, and reads and converts those that their authors publish. */
export { convertEncoder } from './convert-encoder.ts';
export {
  isNativeSlow,
  NativeEncoder,
  nativeKernel,
  nativeProblem,
  type TokenBatch,
  trimMemory,
} from './native-encoder.ts';
export { type DenseModule, layoutIn, readPublished } from './published-encoder.ts';
