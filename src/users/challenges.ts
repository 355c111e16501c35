import { cookieName, cookieValue, SignedCookie } from './signed-cookie.ts';

const lifetimeMs = 600_000;

/** A sign-in that is waiting for a code. */
export interface Challenge {
  readonly userId: string;
  /** Only the library's cookie, so that the library decides about the same user. */
  readonly cookie: string;
}

/**
 * Remembers which user's code a sign-in is waiting for, so that guesses can be counted before the library sees them. A
 * cookie names the user. Its signature covers the library's own cookie, so that a client can't name one user while
 * guessing the codes of another.
 */
export class Challenges {
  readonly #cookie: SignedCookie;
  readonly #libraryCookie: string;

  constructor(secret: Buffer, { isSecure }: { isSecure: boolean }) {
    this.#cookie = new SignedCookie({ secret, name: 'challenge', lifetimeMs, isSecure });
    this.#libraryCookie = cookieName('two_factor', isSecure);
  }

  /** Returns the `Set-Cookie` line to send along with those of the library. */
  begin(userId: string, librarySetCookies: readonly string[]): string {
    const pairs = librarySetCookies.map((line) => line.slice(0, line.indexOf(';'))).join(';');
    const value = cookieValue(pairs, this.#libraryCookie);
    if (!value) throw new Error(`the sign-in library requires a code but sets no ${this.#libraryCookie}`);
    return this.#cookie.line(userId, value);
  }

  find(cookies: string | undefined): Challenge | undefined {
    const value = cookieValue(cookies, this.#libraryCookie);
    if (!value) return undefined;
    const userId = this.#cookie.read(cookies, value);
    return userId === undefined ? undefined : { userId, cookie: `${this.#libraryCookie}=${value}` };
  }
}
