import { ServiceError } from '../errors.ts';

/** A text over the model's limit that may not be cut. */
export class TextTooLong extends Error {
  override readonly name = 'TextTooLong';
  /** Its place among the texts to compute. */
  readonly position: number;
  /** Null where only a server that does not tell has counted them; infinite where there are many times too many. */
  readonly tokenCount: number | null;
  readonly #maxTokens: number;

  constructor(position: number, tokenCount: number | null, maxTokens: number) {
    super(`text ${position} has ${tokenCount ?? 'too many'} of at most ${maxTokens} tokens`);
    this.position = position;
    this.tokenCount = tokenCount;
    this.#maxTokens = maxTokens;
  }

  /** The same for a text that has another place where the reason is told. */
  movedTo(position: number): TextTooLong {
    return new TextTooLong(position, this.tokenCount, this.#maxTokens);
  }

  /** The error for a caller in whose request the text is at `index`. */
  at(index: number): ServiceError {
    const fault = this.#fault();
    return new ServiceError(
      'invalid_request',
      `input[${index}] ${fault}. Shorten it, or send "truncate": true to have it cut.`,
      { param: 'input' },
    );
  }

  #fault(): string {
    if (this.tokenCount === null) return 'is longer than the model reads';
    const most = inWords(this.#maxTokens);
    return Number.isFinite(this.tokenCount)
      ? `has ${inWords(this.tokenCount)} tokens; the model reads at most ${most}`
      : `has many times the ${most} tokens that the model reads`;
  }
}

const inWords = (count: number): string => count.toLocaleString('en-US');
