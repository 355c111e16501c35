import { createHmac, timingSafeEqual } from 'node:crypto';

interface Options {
  readonly secret: Buffer;
  readonly name: string;
  readonly lifetimeMs: number;
  readonly isSecure: boolean;
}

/**
 * A cookie for the sign-in routes only. Its signature covers the value and a context, which must be the same when the
 * cookie comes back.
 */
export class SignedCookie {
  readonly #secret: Buffer;
  readonly #name: string;
  readonly #attributes: string;

  constructor({ secret, name, lifetimeMs, isSecure }: Options) {
    this.#secret = secret;
    this.#name = cookieName(name, isSecure);
    this.#attributes = `Max-Age=${lifetimeMs / 1_000}; Path=/v1/auth; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  /** Returns a `Set-Cookie` line. */
  line(value: string, context: string): string {
    return `${this.#name}=${value}.${this.#mac(value, context)}; ${this.#attributes}`;
  }

  /** Returns the value if it was signed for this context. */
  read(cookies: string | undefined, context: string): string | undefined {
    const cookie = cookieValue(cookies, this.#name) ?? '';
    const end = cookie.lastIndexOf('.');
    if (end < 0) return undefined;
    const value = cookie.slice(0, end);
    const given = Buffer.from(cookie.slice(end + 1));
    const expected = Buffer.from(this.#mac(value, context));
    return given.length === expected.length && timingSafeEqual(given, expected) ? value : undefined;
  }

  #mac(value: string, context: string): string {
    return createHmac('sha256', this.#secret).update(`${value} ${context}`).digest('base64url');
  }
}

/** Browsers accept a cookie with this prefix only from https addresses. */
export const cookieName = (name: string, isSecure: boolean): string =>
  `${isSecure ? '__Secure-' : ''}embedgate.${name}`;

/** Returns the value of the first cookie of this name, exactly as it was sent. */
export function cookieValue(cookies: string | undefined, name: string): string | undefined {
  const prefix = `${name}=`;
  return (cookies ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(prefix))
    ?.slice(prefix.length);
}
