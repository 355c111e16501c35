import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signs tokens that state a value, and are void once what they are bound to has changed. The service stores no token.
 * The value of a token is what precedes its dot.
 */
export class SignedTokens {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  tokenOf(value: string, boundTo: string): string {
    return `${value}.${createHmac('sha256', this.#secret).update(`${value} ${boundTo}`).digest('base64url')}`;
  }

  isOf(token: string, boundTo: string): boolean {
    const [given, expected] = [Buffer.from(token), Buffer.from(this.tokenOf(valueIn(token), boundTo))];
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}

/** Returns the value that a token states, which may be anything until `isOf` has checked it. */
export const valueIn = (token: string): string => token.split('.', 1)[0]!;
