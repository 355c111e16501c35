import { ServiceError } from '../errors.ts';

/** A text over the model's limit that may not be cut. */
export class TextTooLong extends Error {
  override readonly name = 'TextTooLong';
  /** Its place among the texts to compute. */
  readonly position: number;
  readonly tokenCount: number;
  readonly #maxTokens: number;

  constructor(position: number, tokenCount: number, maxTokens: number) {
    super(`text ${position} has ${tokenCount} of at most ${maxTokens} tokens`);
    this.position = position;
    this.tokenCount = tokenCount;
    this.#maxTokens = maxTokens;
  }

  /** The error for a caller in whose request the text is at `index`. */
  at(index: number): ServiceError {
    const [tokens, limit] = [this.tokenCount, this.#maxTokens].map((count) => count.toLocaleString('en-US'));
    return new ServiceError(
      'invalid_request',
      `input[${index}] has ${tokens} tokens; the model reads at most ${limit}. ` +
        'Shorten it, or send "truncate": true to have it cut.',
      { param: 'input' },
    );
  }
}
