import { randomBytes } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { Credentials } from './accounts.ts';
import { SignedCookie } from './signed-cookie.ts';

const lifetimeMs = 180 * 86_400_000;

/**
 * Knows browsers that have signed in as a user before, by a signed cookie (OWASP's device cookies). Such a browser's attempts are
 * counted apart. The cookie signs nobody in. It ends with the password and the second factor that it was made for: each cookie has
 * an allowance, and someone who once knew the password could have collected many.
 */
export class Devices {
  readonly #cookie: SignedCookie;
  readonly #clock: Clock;

  constructor(secret: Buffer, clock: Clock, { isSecure }: { isSecure: boolean }) {
    this.#cookie = new SignedCookie({ secret, name: 'device', lifetimeMs, isSecure });
    this.#clock = clock;
  }

  /** Returns the `Set-Cookie` line for a browser that has just proved to be the user's. */
  cookie({ version }: Credentials): string {
    return this.#cookie.line(`${this.#clock.now()}-${randomBytes(16).toString('hex')}`, version);
  }

  /** Returns what identifies the browser, when the cookies hold one that was made for these credentials. */
  find(cookies: string | undefined, { version }: Credentials): string | undefined {
    const id = this.#cookie.read(cookies, version);
    return id !== undefined && this.#clock.now() - Number.parseInt(id, 10) < lifetimeMs ? id : undefined;
  }
}
