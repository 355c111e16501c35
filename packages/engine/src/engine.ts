import type { Facts } from './model-card.ts';
import { joinPair } from './pair.ts';

/**
 * What a text is used for: `query`, `document`, or one of the model's `promptedTypes`. Most models ignore it; some
 * prefix a prompt.
 */
export type InputType = string;

/** What the settings of every kind of engine have. */
export interface Named {
  /** The model's name in requests and responses. */
  readonly name: string;
  /** Other names that requests can use. */
  readonly aliases?: readonly Alias[];
  readonly facts?: Facts;
}

/** Another name of a model, and how to embed texts of requests that use the name and don't say it themselves. */
export interface Alias {
  readonly name: string;
  readonly inputType?: InputType;
  readonly truncate?: boolean;
  readonly dimensions?: number;
}

export interface Model {
  /** The model's name in requests and responses. */
  readonly name: string;
  /** `rerank`: each text is a pair (`joinPair`), and its vector is one number, its score. Absent: it embeds texts. */
  readonly task?: 'rerank' | undefined;
  /** Whether its scores are returned as they are. Otherwise they are logits. */
  readonly hasFinalScores?: boolean | undefined;
  readonly dimensions: number;
  /** Maximum number of tokens of one text. The rest is cut. */
  readonly maxTokens: number;
  /** The sizes that the model was trained to be shortened to, in ascending order. Undefined if it states none. */
  readonly matryoshkaDimensions?: readonly number[];
  /** The input types that have a prompt of their own. Undefined: none. */
  readonly promptedTypes?: readonly InputType[];
  /** How the vectors of tokens become the text's. Undefined if the graph or an upstream does it. */
  readonly pooling?: string | undefined;
  /** The type of the weights. Undefined for an upstream. */
  readonly dtype?: string | undefined;
  readonly facts?: Facts | undefined;
  /** Changes whenever the same text could get a different vector: weights, tokenizer, pooling, prompts. */
  readonly fingerprint: string;
}

/** Returns the input types whose prompt is not empty. */
export const promptedTypes = (prompts: Readonly<Record<InputType, string>>): InputType[] =>
  Object.keys(prompts).filter((type) => prompts[type] !== '');

/** A text prepared for an engine. */
export interface PreparedText {
  /** Number of tokens to compute, after the cut: 0 to `maxTokens`. */
  readonly tokenCount: number;
  /** Whether the text was cut, as far as the engine knows. */
  readonly isCut: boolean;
  /**
   * Number of tokens before the cut. Infinite if there are too many to be worth counting, or if the text is too long.
   */
  readonly fullTokenCount: number;
}

/** The error for a batch in which only some texts failed. */
export class PartlyFailed extends Error {
  override readonly name = 'PartlyFailed';
  /** For each text, its vector or the error. The position of a TextTooLong is the text's index in the batch. */
  readonly outcomes: readonly (Float32Array | Error)[];

  constructor(outcomes: readonly (Float32Array | Error)[]) {
    super('some texts of a batch failed');
    this.outcomes = outcomes;
  }
}

/** An address that an engine sends requests to. */
export interface Upstream {
  /** The URL without the parts that may contain a secret. */
  readonly name: string;
  /** Whether requests are sent to it now. False while paused after failures or at the server's own request. */
  readonly isAvailable: boolean;
}

/**
 * `form` of each text: a list of objects, as text-embeddings-inference has it, an object of lists, or the object of
 * vLLM with ids alone or with pieces.
 */
export interface Tokenization {
  readonly addSpecialTokens: boolean;
  readonly form: 'list' | 'columns' | 'vllm' | 'vllm-pieces';
}

/** The headers with which another server continues a trace. */
export type TraceHeaders = Readonly<Record<string, string>>;

/** Computes embeddings. No call blocks the event loop for the duration of a computation. */
export interface Engine<P extends PreparedText = PreparedText> {
  readonly model: Model;
  /** Names and numbers for the log that describe how the engine runs. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** The servers of an engine that does not compute in this process. */
  readonly upstreams?: readonly Upstream[];
  /** Maximum number of batches computed at the same time. */
  readonly concurrency: number;
  /**
   * What a text costs besides its tokens, measured in tokens. Computing time is shared and batches are bounded by
   * both.
   */
  readonly overheadTokens: number;
  /** Whether each text of a batch costs as much as the longest. */
  readonly padsTexts: boolean;
  /** Limit of a batch's tokens and `overheadTokens`, where padded texts count as the longest. The engine may change it. */
  readonly maxBatchTokens: number;
  /** Maximum number of texts in a batch, if the engine has such a limit. */
  readonly maxBatchTexts?: number;
  /** Whether waiting texts fill one batch before another starts, instead of being divided among idle workers. */
  readonly prefersFullBatches?: boolean;
  /** `maxBatchTokens` while a request needs several batches. New requests wait for one of them to end. */
  readonly briefBatchTokens: number;
  /**
   * Returns the prepared texts, in order. `mayCut` (default: true) says whether texts over the limit may be cut.
   */
  prepare(texts: readonly string[], inputType: InputType, mayCut?: boolean): Promise<P[]>;
  /**
   * Returns all tokens of each text, as JSON without the outer brackets: to write it would stop the event loop. Throws
   * `NotTokenized` for a text that is too long. Absent: the engine has no tokenizer.
   */
  tokenize?(texts: readonly string[], inputType: InputType, how: Tokenization): Promise<Uint8Array>;
  /**
   * Returns one unit vector of `model.dimensions` float32 for each text, or its score, in order. Throws a
   * `PartlyFailed` when only some texts failed. An engine that asks other servers sends them `trace`.
   */
  run(batch: readonly P[], trace?: TraceHeaders): Promise<Float32Array[]>;
  /** Restarts threads that have died. Throws when texts can't be computed. */
  ready(): Promise<void>;
  /** Stops the engine's threads. Running batches fail. */
  close(): Promise<void>;
}

/** Texts of very different length. They reveal whether padding or the other texts of a batch affect a vector. */
const selfTestTexts: readonly string[] = ['The quick brown fox jumps over the lazy dog.', 'rain'];

/** Returns a text as a model reads it: cross-encoders read it as a document for a query. */
export const sampleFor = ({ task }: Pick<Model, 'task'>, text: string, query = 'rain'): string =>
  task === 'rerank' ? joinPair(query, text) : text;

export const selfTestTextsOf = (model: Pick<Model, 'task'>): string[] =>
  selfTestTexts.map((text) => sampleFor(model, text));

/**
 * Returns how close two results for a text are, 1 if they are equal: the cosine similarity of two unit vectors, −1 if
 * their sizes differ, and for two scores 1 minus their difference, relative to scores above 1.
 */
export function closeness(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return -1;
  const [x = 0, y = 0] = [a[0], b[0]];
  if (a.length === 1) return 1 - Math.abs(x - y) / Math.max(1, Math.abs(x), Math.abs(y));
  return cosine(a, b);
}

/** Returns the cosine similarity of two unit vectors of the same size. */
export const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0);
