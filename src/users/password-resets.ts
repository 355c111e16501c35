import { hash, randomBytes } from 'node:crypto';
import { invalidField } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { digestPassword, requirePassword } from './passwords.ts';
import type { NewPassword } from './users.ts';

/** A reset password link, as it is stored. */
export interface PasswordReset {
  readonly digest: string;
  readonly userId: string;
}

export interface PasswordResetStore {
  insert(
    reset: PasswordReset & { readonly resetId: string; readonly expiresAt: number; readonly nowMs: number },
  ): Promise<void>;
  /** Returns a link that has not expired. */
  find(digests: readonly string[], nowMs: number): Promise<PasswordReset | undefined>;
  /**
   * Sets the password, and ends the user's sessions and all other links. False: the link was used in the meantime, or
   * the user is disabled.
   */
  use(reset: PasswordReset, password: NewPassword): Promise<boolean>;
}

const lifetimeMs = 3_600_000;
/** Using a mailed link proves that the address is the user's. Using a link handed over by an administrator does not. */
const prefixes = { mailed: 'mailed-reset-password', handedOver: 'reset-password' } as const;

/** Manages reset password links. */
export class PasswordResets {
  readonly #store: PasswordResetStore;
  readonly #clock: Clock;

  constructor(store: PasswordResetStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns the token of a new link, which can't be read again later. */
  async create(
    userId: string,
    { mailed }: { mailed: boolean },
  ): Promise<{ token: string; expiresAt: number }> {
    const token = randomBytes(24).toString('base64url');
    const nowMs = this.#clock.now();
    const expiresAt = nowMs + lifetimeMs;
    const digest = digestOf(mailed ? prefixes.mailed : prefixes.handedOver, token);
    await this.#store.insert({ resetId: newId(), digest, userId, expiresAt, nowMs });
    return { token, expiresAt };
  }

  /** Sets the password of the link's user and returns their id. Throws `invalid_request`. */
  async use(token: string, newPassword: string): Promise<string> {
    requirePassword(newPassword, 'new_password');
    const mailed = digestOf(prefixes.mailed, token);
    const nowMs = this.#clock.now();
    const reset = await this.#store.find([mailed, digestOf(prefixes.handedOver, token)], nowMs);
    if (!reset) throw noReset();
    const isUsed = await this.#store.use(reset, {
      passwordDigest: await digestPassword(newPassword),
      credentialId: newId(),
      removeTotp: false,
      provesAddress: reset.digest === mailed,
      nowMs,
    });
    if (!isUsed) throw noReset();
    return reset.userId;
  }
}

const noReset = () => invalidField('token', 'This link is no longer valid: ask for a new one');

function digestOf(prefix: string, token: string): string {
  return hash('sha256', `${prefix}:${token}`, 'base64url');
}
