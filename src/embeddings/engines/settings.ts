import type { ModelOverrides } from './onnx/overrides.ts';

export { poolingModes } from './onnx/pooling.ts';
export type { ModelOverrides };

/** Where a model's files are. */
export type ModelPlace =
  | { readonly kind: 'builtin' }
  | { readonly kind: 'directory'; readonly path: string }
  /** Pulled at the first startup. */
  | { readonly kind: 'hub'; readonly id: string; readonly revision: string | null };

/** The hub that models are pulled from. */
export interface HubAccess {
  /** An http or https URL without a trailing slash. */
  readonly endpoint: string;
  /** Access token for private or gated models. */
  readonly token: string | null;
}

/** An ONNX model that runs in this process. */
export interface OnnxSettings {
  readonly kind: 'onnx';
  /** The model's name in requests and responses. */
  readonly name: string;
  /** Other names that requests can use. */
  readonly aliases?: readonly string[];
  readonly place: ModelPlace;
  /** Batches computed at a time, each by a thread with a copy of the model. Null: as many as the machine allows. */
  readonly workers: number | null;
  /** Number of cores that one batch uses. */
  readonly threadsPerWorker: number;
  /** Settings that take precedence over the model's files. */
  readonly overrides: ModelOverrides;
}

/** A model that runs on an OpenAI-compatible server. */
export interface UpstreamSettings {
  readonly kind: 'upstream';
  /** The model's name in requests and responses. */
  readonly name: string;
  /** Other names that requests can use. */
  readonly aliases?: readonly string[];
  /** One or more base URLs, as in OpenAI's SDKs, of servers with the same model. */
  readonly urls: readonly string[];
  /** Sent as a bearer token unless null. */
  readonly key: string | null;
  /** The model's name on the upstream. */
  readonly model: string;
  /** The expected size of its vectors. Null: the size that the upstream returns at startup. */
  readonly dimensions: number | null;
  /** Null: the limit that the upstream reports, or 8,192. */
  readonly maxTokens: number | null;
  /** Prepended to each text of type `query`. */
  readonly queryPrompt: string;
  /** Prepended to each text of type `document`. */
  readonly documentPrompt: string;
  /** An arbitrary string, to be changed when the upstream's vectors change. */
  readonly revision: string | null;
  /** Maximum number of batches requested at the same time. */
  readonly concurrency: number;
  readonly maxBatchTexts: number;
  /** Timeout of one attempt, from connecting to the last byte of the response. */
  readonly timeoutMs: number;
  /** Time limit for all attempts of a batch. */
  readonly deadlineMs: number;
  /** How long startup waits for the upstream. */
  readonly startTimeoutMs: number;
}

/** The configuration of one model. */
export type ModelSettings = OnnxSettings | UpstreamSettings;
