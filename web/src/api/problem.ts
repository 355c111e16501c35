/** The outcome of a request without success. The message is for the reader. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status, or 0 without a response. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const unreachable = (): ApiError =>
  new ApiError(0, 'The service did not respond. Check your connection and try again.');

/**
 * Returns the error for a response's body, which is `{"error", "message"}`, or only a message on the sign-in routes.
 */
export function problemOf(status: number, body: unknown): ApiError {
  const message =
    typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : null;
  return new ApiError(status, message ?? `The service returned status ${status}. Try again in a moment.`);
}

/** Reports whether the service would refuse the same request again. */
export const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status > 0 && error.status < 500 && error.status !== 429;

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;
