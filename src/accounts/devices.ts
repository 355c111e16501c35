import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { emailKey } from './email.ts';

const lifetimeMs = 180 * 86_400_000;

/**
 * Knows browsers that have signed in as a user before, by a signed cookie (OWASP's device cookies). Such a browser's attempts are
 * counted apart. The cookie signs nobody in.
 */
export class Devices {
  readonly #secret: Buffer;
  readonly #clock: Clock;
  readonly #isSecure: boolean;

  constructor(secret: Buffer, clock: Clock, { isSecure }: { isSecure: boolean }) {
    this.#secret = secret;
    this.#clock = clock;
    this.#isSecure = isSecure;
  }

  /** Returns the `Set-Cookie` line for a browser that has just proved to be the user's. */
  cookie(email: string): string {
    const id = `${this.#clock.now()}-${randomBytes(16).toString('hex')}`;
    const attributes = `Max-Age=${lifetimeMs / 1_000}; Path=/v1/auth; HttpOnly; SameSite=Lax`;
    return `${this.#name}=${id}.${this.#mac(id, email)}; ${attributes}${this.#isSecure ? '; Secure' : ''}`;
  }

  /** Returns what identifies the browser, when the cookies hold one that was made for this user. */
  find(cookies: string | undefined, email: string): string | undefined {
    const prefix = `${this.#name}=`;
    const values = (cookies ?? '')
      .split(';')
      .map((cookie) => cookie.trim())
      .filter((cookie) => cookie.startsWith(prefix));
    const [id = '', mac = ''] = (values[0] ?? '').slice(prefix.length).split('.');
    const expected = Buffer.from(this.#mac(id, email));
    const given = Buffer.from(mac);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return this.#clock.now() - Number.parseInt(id, 10) < lifetimeMs ? id : undefined;
  }

  get #name(): string {
    return this.#isSecure ? '__Secure-embedgate.device' : 'embedgate.device';
  }

  #mac(id: string, email: string): string {
    return createHmac('sha256', this.#secret)
      .update(`${id} ${emailKey(email)}`)
      .digest('base64url');
  }
}
