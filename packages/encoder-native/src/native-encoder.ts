/** Computes encoders with a kernel in C++, on threads of its own. */
import { createRequire } from 'node:module';
import { codeOf, messageOf } from '../../small/src/errors.ts';
import { type EncoderTensors, weightsOf } from './weights.ts';

/** The module that ../build.js makes of ../native. */
interface Addon {
  /** The instructions that the kernel uses on this processor. */
  readonly kernel: string;
  open(sizes: Int32Array, numbers: Float32Array, tensors: readonly Uint8Array[], threads: number): unknown;
  compute(
    encoder: unknown,
    ids: Int32Array,
    tokenCounts: Int32Array,
    pooling: number,
    vectors: Float32Array,
  ): Promise<Float32Array>;
  close(encoder: unknown): void;
  trim(): void;
}

/** In the order of `Pooling` in ../native/kernel.h. */
const poolings = ['mean', 'cls', 'last', 'max'] as const;

let addon: Addon | undefined;
/** Why encoders can't be computed here; undefined if they can. */
export let nativeProblem: string | undefined;
try {
  addon = createRequire(import.meta.url)(
    `../build/encoder-${process.platform}-${process.arch}.node`,
  ) as Addon;
} catch (reason) {
  const isMissing = codeOf(reason) === 'MODULE_NOT_FOUND';
  nativeProblem = isMissing
    ? 'the native encoder is not built'
    : `the native encoder can't be loaded: ${messageOf(reason)}`;
}

/** The instructions that encoders are computed with, such as `AVX2`; undefined if they can't be computed. */
export const nativeKernel = addon?.kernel;
/** Whether the processor has none of the instructions. ONNX Runtime then computes a graph in less time. */
export const isNativeSlow = nativeKernel === 'plain C++';

/**
 * Returns memory that the process has freed to the system, if there is the module. The library of tokenizers frees
 * hundreds of megabytes after it has read a large `tokenizer.json`.
 */
export const trimMemory = (): void => addon?.trim();

export class NativeEncoder {
  readonly dimensions: number;
  /** What the products read, by name, and its columns. */
  readonly #inputs: ReadonlyMap<string, number>;
  readonly #encoder: unknown;

  /** Copies the weights, which all threads share. Needs a `nativeKernel`. Throws if they don't fit together. */
  constructor(file: EncoderTensors, threads: number) {
    const { sizes, numbers, tensors, dimensions, inputs } = weightsOf(file);
    this.dimensions = dimensions;
    this.#inputs = inputs;
    this.#encoder = addon!.open(sizes, numbers, tensors, threads);
  }

  /**
   * Returns `tokenCounts.length` unit vectors. The first `tokenCounts[0]` of `ids` are the tokens of the first text, and
   * so on. Throws for an id outside of the vocabulary, and for a text that has no token or more than there are positions.
   */
  async compute(
    ids: Int32Array,
    tokenCounts: readonly number[],
    pooling: (typeof poolings)[number],
  ): Promise<Float32Array> {
    const vectors = new Float32Array(tokenCounts.length * this.dimensions);
    return addon!.compute(
      this.#encoder,
      ids,
      Int32Array.from(tokenCounts),
      poolings.indexOf(pooling),
      vectors,
    );
  }

  /** Returns the largest sizes of the columns of what each product reads while they compute texts, by the names of inputs. */
  async largestInputs(texts: readonly Int32Array[]): Promise<Map<string, Float32Array>> {
    const widths = [...this.#inputs];
    let at = texts.length * this.dimensions;
    const numbers = new Float32Array(widths.reduce((sum, [, width]) => sum + width, at));
    const ids = Int32Array.from(texts.flatMap((text) => [...text]));
    const counts = Int32Array.from(texts, ({ length }) => length);
    await addon!.compute(this.#encoder, ids, counts, 0, numbers);
    return new Map(
      widths.map(([input, width]) => {
        at += width;
        return [input, numbers.subarray(at - width, at)];
      }),
    );
  }

  /** Ends the threads, which keep the process alive. Blocks until all calls are computed. */
  close(): void {
    addon!.close(this.#encoder);
  }
}
