interface FailureDetails {
  /** Whether the same request is worth sending to the same address again. */
  readonly mayRepeat?: boolean;
  /** Whether waiting can't help: a refused key, an unknown model. */
  readonly isConfiguration?: boolean;
  /** Whether the address works, and only asks to come later. */
  readonly isBusy?: boolean;
  /** How long the upstream asks to wait. */
  readonly retryAfterMs?: number | undefined;
}

/** An upstream that can't be reached, or answers what can't be used. Its message holds neither key nor text. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly mayRepeat: boolean;
  readonly isConfiguration: boolean;
  readonly isBusy: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: FailureDetails = {}) {
    super(message);
    this.mayRepeat = details.mayRepeat ?? false;
    this.isConfiguration = details.isConfiguration ?? false;
    this.isBusy = details.isBusy ?? false;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** The upstream works, and refuses the texts of a request. */
export class InputRefused extends Error {
  override readonly name = 'InputRefused';
  readonly isTooLong: boolean;

  constructor(message: string, isTooLong: boolean) {
    super(message);
    this.isTooLong = isTooLong;
  }
}
