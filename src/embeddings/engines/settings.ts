/** An ONNX model, computed in this process. */
export interface OnnxSettings {
  readonly kind: 'onnx';
  /** The name that requests use and answers carry. */
  readonly name: string;
  /** A directory with the model; null: the built-in one. */
  readonly directory: string | null;
  /** Batches computed at the same time, each by a thread with a copy of the model. */
  readonly workers: number;
  /** Cores that one batch uses. */
  readonly threadsPerWorker: number;
}

/** All that is configured of one model. */
export type ModelSettings = OnnxSettings;
