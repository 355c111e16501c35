import type { ModelOverrides } from './onnx/overrides.ts';

export { poolingModes } from './onnx/pooling.ts';
export type { ModelOverrides };

/** Where a model's files are. */
export type ModelPlace =
  | { readonly kind: 'builtin' }
  | { readonly kind: 'directory'; readonly path: string }
  /** Pulled at the first start. */
  | { readonly kind: 'hub'; readonly id: string; readonly revision: string | null };

/** The hub that models are pulled from. */
export interface HubAccess {
  /** An http or https address without a slash at its end. */
  readonly endpoint: string;
  /** For models that not everybody may read. */
  readonly token: string | null;
}

/** An ONNX model, computed in this process. */
export interface OnnxSettings {
  readonly kind: 'onnx';
  /** The name that requests use and answers carry. */
  readonly name: string;
  /** Other names that requests may use. */
  readonly aliases?: readonly string[];
  readonly place: ModelPlace;
  /** Batches computed at the same time, each by a thread with a copy of the model; null: as many as the machine has room for. */
  readonly workers: number | null;
  /** Cores that one batch uses. */
  readonly threadsPerWorker: number;
  /** What goes before what the model's files say. */
  readonly overrides: ModelOverrides;
}

/** A model that an OpenAI-compatible server computes. */
export interface UpstreamSettings {
  readonly kind: 'upstream';
  /** The name that requests use and answers carry. */
  readonly name: string;
  /** Other names that requests may use. */
  readonly aliases?: readonly string[];
  /** Base addresses, as OpenAI's SDKs have them, of servers of the same model; one or more. */
  readonly urls: readonly string[];
  /** Sent as a bearer token; null: none. */
  readonly key: string | null;
  /** The model's name there. */
  readonly model: string;
  /** What its vectors are checked against; null: what the upstream answers at the start. */
  readonly dimensions: number | null;
  /** Null: what the upstream tells, or 8,192. */
  readonly maxTokens: number | null;
  /** Put in front of each text. */
  readonly queryPrompt: string;
  readonly documentPrompt: string;
  /** Whatever is changed when the upstream's vectors change. */
  readonly revision: string | null;
  /** Batches that it is asked for at the same time. */
  readonly concurrency: number;
  readonly maxBatchTexts: number;
  /** For one try, from connecting to the answer's last byte. */
  readonly timeoutMs: number;
  /** For all tries of a batch. */
  readonly deadlineMs: number;
  /** How long a start waits for it. */
  readonly startTimeoutMs: number;
}

/** All that is configured of one model. */
export type ModelSettings = OnnxSettings | UpstreamSettings;
