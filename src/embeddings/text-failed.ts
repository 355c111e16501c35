import { ServiceError, unavailable } from '../errors.ts';

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
