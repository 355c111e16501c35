import type { TokenBatch } from '../../encoder-native/src/index.ts';
import type { InferenceReady } from './inference-worker.ts';

/** What computes an engine's batches. */
export interface Inference {
  /** Resolves when a batch can be computed. */
  start(): Promise<InferenceReady>;
  /** Starts what else computes batches. `onFailure` receives the reason each time when it can't start. */
  startOthers(onFailure: (reason: unknown) => void): void;
  /** Returns one unit vector or score for each text, one after the other. */
  call(batch: TokenBatch, transfer: readonly ArrayBuffer[]): Promise<Float32Array>;
  /** Resolves when a batch can be computed. Throws the reason why not. */
  ready(): Promise<void>;
  close(): Promise<void>;
}
