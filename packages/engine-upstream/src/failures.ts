/** The error for an upstream that is unreachable or sends an unusable response. Its message contains no key or text. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  /** Whether to retry the same request at the same address. */
  readonly mayRepeat: boolean = false;
  /** Whether only a change of configuration can help: a rejected key, an unknown model. */
  readonly isConfiguration: boolean = false;
  /** Whether the address works but has reached its own rate limit. */
  readonly isBusy: boolean = false;
  /** Whether the failure is temporary and not about the texts. Other failures may be caused by one of the texts. */
  readonly isPassing: boolean = false;
  /** Whether the texts caused the failure: the address has since computed another text. */
  readonly isOfTexts: boolean = false;
  /** Whether the failure will come again if the texts caused it: a rule against them, a vector of zeros. */
  readonly isFinal: boolean = false;
  /** The delay that the upstream requests. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: Partial<Omit<UpstreamFailure, keyof Error | 'ofTexts'>> = {}) {
    super(message);
    Object.assign(this, details);
  }

  /** Returns a copy with `isOfTexts` set. */
  ofTexts(): UpstreamFailure {
    return new UpstreamFailure(this.message, { ...this, isOfTexts: true });
  }
}

/** The error for an upstream that works but rejects the texts of a request. */
export class InputRefused extends Error {
  override readonly name = 'InputRefused';
  readonly isTooLong: boolean;
  /** Whether the text is alone, and the address has since computed another one. */
  isOfText = false;

  constructor(message: string, isTooLong: boolean) {
    super(message);
    this.isTooLong = isTooLong;
  }
}
