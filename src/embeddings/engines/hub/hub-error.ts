/** Why a model could not be pulled, in a sentence for whoever asked for it. It holds no token. */
export class HubError extends Error {
  override readonly name = 'HubError';
  /** Whether the same request may go well a moment later. */
  readonly isPassing: boolean;

  constructor(message: string, options: { cause?: unknown; isPassing?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.isPassing = options.isPassing ?? false;
  }
}
