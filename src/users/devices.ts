import { randomBytes } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { SignedCookie } from './signed-cookie.ts';
import type { Credentials } from './users.ts';

const lifetimeMs = 180 * 86_400_000;

/**
 * Recognizes browsers that have signed in as a user before, by a signed cookie (OWASP's device cookies). Attempts of
 * such a browser are counted separately. The cookie does not sign anyone in. It is valid only for the password and
 * second factor it was created with: each cookie has its own allowance, and someone who once knew the password could
 * have collected many.
 */
export class Devices {
  readonly #cookie: SignedCookie;
  readonly #clock: Clock;

  constructor(secret: Buffer, clock: Clock, { isSecure }: { isSecure: boolean }) {
    this.#cookie = new SignedCookie({ secret, name: 'device', lifetimeMs, isSecure });
    this.#clock = clock;
  }

  /** Returns the `Set-Cookie` line for a browser that has just proved that it belongs to the user. */
  cookie({ version }: Credentials): string {
    return this.#cookie.line(`${this.#clock.now()}-${randomBytes(16).toString('hex')}`, version);
  }

  /** Returns the id of the browser if the cookies contain one that was created for these credentials. */
  find(cookies: string | undefined, { version }: Credentials): string | undefined {
    const id = this.#cookie.read(cookies, version);
    return id !== undefined && this.#clock.now() - Number.parseInt(id, 10) < lifetimeMs ? id : undefined;
  }
}
