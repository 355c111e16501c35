import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { publicPath } from '../lib/public-path.ts';
import type { Credentials } from './user.ts';

const lifetimeMs = 180 * 86_400_000;

/**
 * Recognizes browsers that have signed in as a user before, by a signed cookie (OWASP's device cookies). Attempts of
 * such a browser are counted separately. The cookie does not sign anyone in. It is valid only for the password and
 * second factor it was created with: each cookie has its own allowance, and someone who once knew the password could
 * have collected many.
 */
export class Devices {
  readonly #secret: Buffer;
  readonly #clock: Clock;
  readonly #name: string;
  readonly #attributes: string;

  constructor(secret: Buffer, clock: Clock, publicUrl: string | null) {
    const isSecure = publicUrl?.startsWith('https:') ?? false;
    this.#secret = secret;
    this.#clock = clock;
    // Browsers accept a cookie with this prefix only from https addresses.
    this.#name = `${isSecure ? '__Secure-' : ''}embedgate.device`;
    this.#attributes = `Max-Age=${lifetimeMs / 1_000}; Path=${publicPath(publicUrl)}/v1/auth; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  /** Returns the `Set-Cookie` line for a browser that has just proved that it belongs to the user. */
  cookie(credentials: Credentials): string {
    const id = `${this.#clock.now()}-${randomBytes(16).toString('hex')}`;
    return `${this.#name}=${this.#signed(id, credentials)}; ${this.#attributes}`;
  }

  /** Returns the id of the browser if the cookies contain one that was created for these credentials. */
  find(cookies = '', credentials: Credentials): string | undefined {
    const start = `${this.#name}=`;
    const cookie = cookies.split(/; */).find((pair) => pair.startsWith(start)) ?? '';
    const given = Buffer.from(cookie.slice(start.length));
    const id = given.toString().split('.', 1)[0]!;
    const expected = Buffer.from(this.#signed(id, credentials));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return this.#clock.now() - Number.parseInt(id, 10) < lifetimeMs ? id : undefined;
  }

  #signed(id: string, { version }: Credentials): string {
    return `${id}.${createHmac('sha256', this.#secret).update(`${id} ${version}`).digest('base64url')}`;
  }
}
