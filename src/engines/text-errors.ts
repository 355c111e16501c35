import { invalidRequest, ServiceError, unavailable } from '../errors.ts';

/** The error for a text that is over the model's limit and may not be cut. */
export class TextTooLong extends Error {
  override readonly name = 'TextTooLong';
  /** The text's index among the texts to compute. */
  readonly position: number;
  /** Null if only an upstream counted them, without reporting the number. Infinite if they are too many to be counted. */
  readonly tokenCount: number | null;
  readonly #maxTokens: number;

  constructor(position: number, tokenCount: number | null, maxTokens: number) {
    super(`text ${position} has ${tokenCount ?? 'too many'} of at most ${maxTokens} tokens`);
    this.position = position;
    this.tokenCount = tokenCount;
    this.#maxTokens = maxTokens;
  }

  /** Returns a copy of this error with another position. */
  movedTo(position: number): TextTooLong {
    return new TextTooLong(position, this.tokenCount, this.#maxTokens);
  }

  /** Returns the error for a client whose request has the text at `index` of the field `param`. */
  at(index: number, param = 'input'): ServiceError {
    const fault = this.#fault();
    return invalidRequest(
      `${param}[${index}] ${fault}. Shorten it, or send "truncate": true to have it cut.`,
      { param, fault: 'text too long' },
    );
  }

  #fault(): string {
    if (this.tokenCount === null) return 'is longer than the model reads';
    const most = inWords(this.#maxTokens);
    const count = Number.isFinite(this.tokenCount)
      ? `has ${inWords(this.tokenCount)} tokens`
      : `has more than ${most} tokens, or is too long to count them`;
    return `${count}; the model reads at most ${most}`;
  }
}

const inWords = (count: number): string => count.toLocaleString('en-US');

/** The error for a text that the engine could not compute, although the other texts of its batch may succeed. */
export class TextFailed extends ServiceError {
  /** The text's index among the texts to compute. */
  readonly position: number;

  constructor(position: number, reason: Error) {
    const { code, message, retryAfterSeconds, cause } = unavailable(reason);
    super(code, message, { cause, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
    this.position = position;
  }
}
