import { randomBytes } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { publicPath } from '../lib/public-path.ts';
import { SignedTokens, valueIn } from '../lib/signed-tokens.ts';
import type { Credentials } from './user.ts';

const lifetimeMs = 180 * 86_400_000;

/**
 * Recognizes browsers that have signed in as a user before, by a signed cookie (OWASP's device cookies). Attempts of
 * such a browser are counted separately. The cookie does not sign anyone in. It is valid only for the password and
 * second factor it was created with: each cookie has its own allowance, and someone who once knew the password could
 * have collected many.
 */
export class Devices {
  readonly #tokens: SignedTokens;
  readonly #clock: Clock;
  readonly #name: string;
  readonly #attributes: string;

  constructor(secret: Buffer, clock: Clock, publicUrl: string | null) {
    const isSecure = publicUrl?.startsWith('https:') ?? false;
    this.#tokens = new SignedTokens(secret);
    this.#clock = clock;
    // Browsers accept a cookie with this prefix only from https addresses.
    this.#name = `${isSecure ? '__Secure-' : ''}embedgate.device`;
    this.#attributes = `Max-Age=${lifetimeMs / 1_000}; Path=${publicPath(publicUrl)}/v1/auth; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  /** Returns the `Set-Cookie` line for a browser that has just proved that it belongs to the user. */
  cookie(credentials: Credentials): string {
    const id = `${this.#clock.now()}-${randomBytes(16).toString('hex')}`;
    return `${this.#name}=${this.#tokens.tokenOf(id, credentials.version)}; ${this.#attributes}`;
  }

  /** Returns the id of the browser if the cookies contain one that was created for these credentials. */
  find(cookies = '', credentials: Credentials): string | undefined {
    const start = `${this.#name}=`;
    const cookie = cookies.split(/; */).find((pair) => pair.startsWith(start)) ?? '';
    const token = cookie.slice(start.length);
    if (!this.#tokens.isOf(token, credentials.version)) return undefined;
    const id = valueIn(token);
    return this.#clock.now() - Number.parseInt(id, 10) < lifetimeMs ? id : undefined;
  }
}
