/** What a model is asked for: most models ignore it, some prefix a prompt. */
export type InputType = 'query' | 'document';

export interface Model {
  /** The name that requests use and answers carry. */
  readonly name: string;
  readonly dimensions: number;
  /** Tokens of one text that the model reads; the rest is cut. */
  readonly maxTokens: number;
  /** Sizes that the model was trained to be cut to, the least first; undefined where it states none. */
  readonly matryoshkaDimensions?: readonly number[];
  /** Changes whenever the same text could get another vector: weights, tokenizer, pooling, prompts. */
  readonly fingerprint: string;
}

/** A text made ready for its engine. */
export interface PreparedText {
  /** Tokens that will be computed, after the cut: 0 to `maxTokens`. */
  readonly tokenCount: number;
  /** Tokens of the whole text, before the cut; infinite where they are too many to be worth counting. */
  readonly fullTokenCount: number;
}

/** A batch of which only some texts failed. */
export class PartlyFailed extends Error {
  override readonly name = 'PartlyFailed';
  /** Text by text: its vector, or why there is none; a TextTooLong has its place in the batch. */
  readonly outcomes: readonly (Float32Array | Error)[];

  constructor(outcomes: readonly (Float32Array | Error)[]) {
    super('some texts of a batch failed');
    this.outcomes = outcomes;
  }
}

/** An address that an engine asks. */
export interface Upstream {
  /** Where it is, without what may be a secret. */
  readonly name: string;
  /** Whether it is asked now: not while it is left alone after failures, and not while it has asked for that. */
  readonly isAvailable: boolean;
}

/** Computes embeddings. Neither call ever blocks the event loop for the time of a computation. */
export interface Engine<P extends PreparedText = PreparedText> {
  readonly model: Model;
  /** What an operator may want to know of how it runs: names and figures for the log. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** Of an engine that asks others. */
  readonly upstreams?: readonly Upstream[];
  /** How many batches it computes at the same time. */
  readonly concurrency: number;
  /** A batch's bound: longest text × count, in tokens. It may change with what the engine learns of its speed. */
  readonly maxBatchTokens: number;
  /** A batch's bound where tokens are not the only one: texts. */
  readonly maxBatchTexts?: number;
  /** The same while a request is under way that fills several batches: what comes meanwhile waits for one of them. */
  readonly briefBatchTokens: number;
  /**
   * Returns text by text, in order. `mayCut`, true if left out: whether a text over the limit may be cut. Then its `fullTokenCount` may
   * be infinite.
   */
  prepare(texts: readonly string[], inputType: InputType, mayCut?: boolean): Promise<P[]>;
  /**
   * Answers `batch.length` unit vectors of `model.dimensions` float32, in order. Throws a `PartlyFailed` when only some texts
   * got none.
   */
  run(batch: readonly P[]): Promise<Float32Array[]>;
  /** Restarts threads that have died. Throws the reason why texts can't be computed. */
  ready(): Promise<void>;
  /** Ends its threads; what is under way fails. */
  close(): Promise<void>;
}
