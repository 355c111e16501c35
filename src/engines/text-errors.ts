import { invalidRequest, ServiceError, unavailable } from '../errors.ts';

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

  /** Returns the error for a client whose request has the text at `index` of the field `param`. */
  at(index: number, param = 'input'): ServiceError {
    return invalidRequest(
      `${param}[${index}]: the model refuses this text, or has no usable result for it. Change it or leave it out: repeating the request does not help.`,
      { param, cause: this },
    );
  }
}

/** The error for a text that is over the model's limit and may not be cut. */
export class TextTooLong extends TextRefused {
  override readonly name = 'TextTooLong';
  /** Null if only an upstream counted them, without reporting the number. Infinite if they are too many to be counted. */
  readonly tokenCount: number | null;
  readonly #maxTokens: number;

  constructor(position: number, tokenCount: number | null, maxTokens: number) {
    super(position, `text ${position} has ${tokenCount ?? 'too many'} of at most ${maxTokens} tokens`);
    this.tokenCount = tokenCount;
    this.#maxTokens = maxTokens;
  }

  override movedTo(position: number): TextTooLong {
    return new TextTooLong(position, this.tokenCount, this.#maxTokens);
  }

  override at(index: number, param = 'input'): ServiceError {
    const fault = this.#fault();
    return invalidRequest(
      `${param}[${index}] ${fault}. Shorten it, or send "truncate": true to have it cut.`,
      { param, fault: 'text too long' },
    );
  }

  #fault(): string {
    if (this.tokenCount === null) return 'is longer than the model reads';
    const most = inWords(this.#maxTokens);
    const count = Number.isFinite(this.tokenCount) ? inWords(this.tokenCount) : `more than ${most}`;
    return `has ${count} tokens; the model reads at most ${most}`;
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
