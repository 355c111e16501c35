/** Computes encoders with a kernel in C++, on threads of its own. */
import { type BigIntStats, closeSync, fstatSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { codeOf, messageOf, Unavailable } from '../../small/src/errors.ts';
import { type EncoderTensors, weightsOf } from './weights.ts';

/** The module that ../build.js makes of ../native. */
interface Addon {
  /** The instructions that the kernel uses on this processor. */
  readonly kernel: string;
  open(
    sizes: Int32Array,
    numbers: Float32Array,
    tensors: readonly Uint8Array[],
    threads: number,
    words: number,
    firstWord: number,
  ): unknown;
  compute(
    encoder: unknown,
    ids: Int32Array,
    typeIds: Int32Array,
    tokenCounts: Int32Array,
    pooling: number,
    vectors: Float32Array,
  ): Promise<Float32Array>;
  close(encoder: unknown): void;
  trim(): void;
}

/** The tokens of all texts in one array: the first `tokenCounts[0]` of `ids` belong to the first text, and so on. */
export interface TokenBatch {
  readonly ids: Int32Array;
  /** The type of each token of `ids`. Undefined: 0. */
  readonly typeIds?: Int32Array | undefined;
  readonly tokenCounts: readonly number[];
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
  readonly #words: WordsFile | undefined;

  /**
   * Copies the weights, which all threads share. Only a large table of words stays in its file (`leastInFile`: from how many
   * bytes on), because a text needs few of its rows. Needs a `nativeKernel`. Throws if the weights don't fit together.
   */
  constructor(file: EncoderTensors, threads: number, leastInFile?: number) {
    const { sizes, numbers, tensors, words, dimensions, inputs } = weightsOf(file, leastInFile);
    this.dimensions = dimensions;
    this.#inputs = inputs;
    this.#words = words && new WordsFile(words.path);
    try {
      const [fd, from] = [this.#words?.fd ?? -1, words?.elements?.from ?? 0];
      this.#encoder = addon!.open(sizes, numbers, tensors, threads, fd, from);
    } catch (error) {
      this.#words?.close();
      throw error;
    }
  }

  /**
   * Returns a unit vector or a score for each text. Throws for an id outside of the vocabulary, and for a text that has no
   * token or more than there are positions.
   */
  async compute(batch: TokenBatch, pooling: (typeof poolings)[number]): Promise<Float32Array> {
    return this.#compute(batch, pooling, new Float32Array(batch.tokenCounts.length * this.dimensions));
  }

  /** Returns the largest sizes of the columns of what each product reads while they compute texts, by the names of inputs. */
  async largestInputs(batch: TokenBatch): Promise<Map<string, Float32Array>> {
    const widths = [...this.#inputs];
    let at = batch.tokenCounts.length * this.dimensions;
    const numbers = new Float32Array(widths.reduce((sum, [, width]) => sum + width, at));
    await this.#compute(batch, 'mean', numbers);
    return new Map(
      widths.map(([input, width]) => {
        at += width;
        return [input, numbers.subarray(at - width, at)];
      }),
    );
  }

  async #compute(
    { ids, typeIds, tokenCounts }: TokenBatch,
    pooling: (typeof poolings)[number],
    to: Float32Array,
  ): Promise<Float32Array> {
    const [types, counts] = [typeIds ?? new Int32Array(), Int32Array.from(tokenCounts)];
    // Also after a failure, for which a file that was cut is the cause.
    return addon!
      .compute(this.#encoder, ids, types, counts, poolings.indexOf(pooling), to)
      .finally(() => this.refuseChanges());
  }

  /** Throws an Unavailable if the file was written to that has the table of words. */
  refuseChanges(): void {
    this.#words?.refuseChanges();
  }

  /** Ends the threads, which keep the process alive. Blocks until all calls are computed. */
  close(): void {
    addon!.close(this.#encoder);
    this.#words?.close();
  }
}

/** The file with a table of words. */
class WordsFile {
  readonly fd: number;
  readonly #path: string;
  readonly #atFirst: BigIntStats;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
    this.fd = openSync(path, 'r');
    this.#atFirst = fstatSync(this.fd, { bigint: true });
  }

  /** Throws an Unavailable if the file was written to, because other words don't fit the weights that were copied. */
  refuseChanges(): void {
    if (this.#isClosed) return;
    const { size, mtimeNs } = fstatSync(this.fd, { bigint: true });
    if (size === this.#atFirst.size && mtimeNs === this.#atFirst.mtimeNs) return;
    throw Unavailable.of(new Error(`${this.#path} has changed since it was opened; restart the service`));
  }

  close(): void {
    if (!this.#isClosed) closeSync(this.fd);
    this.#isClosed = true;
  }
}
