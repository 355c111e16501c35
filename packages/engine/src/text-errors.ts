/** The error for a text that the model refuses, or has no usable result for, whenever it is sent. */
export class TextRefused extends Error {
  override readonly name: string = 'TextRefused';
  /** The text's index among the texts to compute. */
  readonly position: number;

  constructor(position: number, message: string) {
    super(message);
    this.position = position;
  }

  /** Returns a copy of this error with another position. */
  movedTo(position: number): TextRefused {
    return new TextRefused(position, this.message);
  }
}

/** The error for a text that is over the model's limit and may not be cut. */
export class TextTooLong extends TextRefused {
  override readonly name = 'TextTooLong';
  /**
   * Null if only an upstream counted them, without reporting the number. Infinite if they are too many to be counted.
   */
  readonly tokenCount: number | null;
  readonly maxTokens: number;

  constructor(position: number, tokenCount: number | null, maxTokens: number) {
    super(position, `text ${position} has ${tokenCount ?? 'too many'} of at most ${maxTokens} tokens`);
    this.tokenCount = tokenCount;
    this.maxTokens = maxTokens;
  }

  override movedTo(position: number): TextTooLong {
    return new TextTooLong(position, this.tokenCount, this.maxTokens);
  }
}

/** The error for a text that is too long to return all of its tokens. The message is for the client. */
export class NotTokenized extends Error {
  override readonly name = 'NotTokenized';
}
