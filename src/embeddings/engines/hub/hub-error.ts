/** The error for a model that could not be pulled. Its message is written for the operator and contains no token. */
export class HubError extends Error {
  override readonly name = 'HubError';
  /** Whether the same request may succeed a moment later. */
  readonly isPassing: boolean;

  constructor(message: string, options: { cause?: unknown; isPassing?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.isPassing = options.isPassing ?? false;
  }
}
