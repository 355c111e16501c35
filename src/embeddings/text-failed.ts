import { ServiceError, unavailable } from '../errors.ts';

/** A text that the engine computes no vector of, while it may well compute those beside it. */
export class TextFailed extends ServiceError {
  /** Its place among the texts to compute. */
  readonly position: number;

  constructor(position: number, reason: Error) {
    const { code, message, retryAfterSeconds, cause } = unavailable(reason);
    super(code, message, { cause, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
    this.position = position;
  }
}
