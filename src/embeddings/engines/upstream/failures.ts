interface FailureDetails {
  /** Whether the same request is worth sending to the same address again. */
  readonly mayRepeat?: boolean;
  /** Whether waiting can't help: a refused key, an unknown model. */
  readonly isConfiguration?: boolean;
  /** Whether the address works, and only asks to come later. */
  readonly isBusy?: boolean;
  /** Whether waiting is all that it takes. Every other failure may be about one of the texts. */
  readonly isPassing?: boolean;
  /** Whether the address computes other texts all the same. */
  readonly isOfTexts?: boolean;
  /** How long the upstream asks to wait. */
  readonly retryAfterMs?: number | undefined;
}

/** An upstream that can't be reached, or answers what can't be used. Its message holds neither key nor text. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly mayRepeat: boolean;
  readonly isConfiguration: boolean;
  readonly isBusy: boolean;
  readonly isPassing: boolean;
  readonly isOfTexts: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: FailureDetails = {}) {
    super(message);
    this.mayRepeat = details.mayRepeat ?? false;
    this.isConfiguration = details.isConfiguration ?? false;
    this.isBusy = details.isBusy ?? false;
    this.isPassing = details.isPassing ?? false;
    this.isOfTexts = details.isOfTexts ?? false;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** The same failure, of an address that has computed another text since. */
  ofTexts(): UpstreamFailure {
    return new UpstreamFailure(this.message, { ...this, isOfTexts: true });
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
