import { notFound } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { type SignedTokens, valueIn } from '../lib/signed-tokens.ts';
import type { CreatedKey } from './key.ts';
import type { KeyStore, Keys } from './keys.ts';

const lifetimeMs = 3 * 86_400_000;

/**
 * Links that hand a key over. Opening one gives the key another secret, so that only the person who opened it knows
 * the secret, and every link of the key is void afterwards.
 */
export class KeyLinks {
  readonly #store: KeyStore;
  readonly #keys: Keys;
  readonly #tokens: SignedTokens;
  readonly #clock: Clock;

  constructor(store: KeyStore, keys: Keys, tokens: SignedTokens, clock: Clock) {
    this.#store = store;
    this.#keys = keys;
    this.#tokens = tokens;
    this.#clock = clock;
  }

  /** Returns the token of a link, and when it expires, in milliseconds since the Unix epoch. Throws `not_found`. */
  async create(keyId: string): Promise<{ token: string; expiresAt: number }> {
    const expiresAt = this.#clock.now() + lifetimeMs;
    const { digest } = await this.#keys.link(keyId);
    return { token: this.#tokens.tokenOf(`${keyId}_${expiresAt}`, digest), expiresAt };
  }

  /** Throws `not_found` if the link was opened or has expired, and `invalid_request` if the key has ended. */
  async open(token: string): Promise<CreatedKey> {
    const [keyId = '', expiresAt] = valueIn(token).split('_');
    const key = await this.#store.find(keyId);
    const isGood = key && this.#tokens.isOf(token, key.digest) && Number(expiresAt) > this.#clock.now();
    const opened = isGood && (await this.#keys.replaceSecret(key));
    if (!opened) throw notFound('This link was opened before, or has expired. Ask for a new one');
    return opened;
  }
}
