import { NativeEncoder, nativeKernel } from '../../encoder-native/src/index.ts';
import { readEncoder } from '../../onnx-int8/src/index.ts';
import { type Batch, withPadding } from './batch.ts';
import { knownOutput } from './graph-output.ts';
import type { InferenceReady } from './inference-worker.ts';
import type { ModelDirectory } from './model-directory.ts';

/** What computes an engine's batches. */
export interface Inference {
  /** Resolves when a batch can be computed. */
  start(): Promise<InferenceReady>;
  /** Starts what else computes batches. `onFailure` receives the reason each time when it can't start. */
  startOthers(onFailure: (reason: unknown) => void): void;
  /** Returns one unit vector or score for each text, one after the other. */
  call(batch: Batch, transfer: readonly ArrayBuffer[]): Promise<Float32Array>;
  /** Resolves when a batch can be computed. Throws the reason why not. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Returns inference by the native encoder; undefined if it can't compute the model, or not on this machine. Throws if the
 * model's files are damaged.
 */
export function nativeInference(model: ModelDirectory, threads: number): Inference | undefined {
  const { modelFile, pooling, output, isCrossEncoder, hiddenSize, paddingId } = model;
  const { mode } = pooling;
  if ((mode !== 'mean' && mode !== 'cls') || isCrossEncoder || nativeKernel === undefined) return undefined;
  const file = readEncoder(modelFile);
  if (!file || file.layout.output !== (output ?? knownOutput([...file.outputs]))) return undefined;
  const encoder = new NativeEncoder(file, threads);
  const { dimensions } = encoder;
  // The graph's inference explains what is wrong with the files.
  if (dimensions !== (pooling.dimensions ?? hiddenSize ?? dimensions)) {
    encoder.close();
    return undefined;
  }
  return {
    start: async () => ({ dimensions, pooling: mode }),
    startOthers: () => {},
    call: (batch) => {
      const { ids, tokenCounts } = batch.tokenCounts.includes(0) ? withPadding(batch, paddingId) : batch;
      return encoder.compute(ids, tokenCounts, mode);
    },
    ready: async () => {},
    close: async () => encoder.close(),
  };
}
