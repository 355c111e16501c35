import { hash } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { emailKey } from '../lib/email.ts';
import { networkOf } from '../lib/network-of.ts';
import type { attemptsIn } from './stored-attempts.ts';

type Counts = ReturnType<typeof attemptsIn>;

/** A subject to count, and the number of attempts it is allowed per window. */
export type Bound = readonly [subject: string, limit: number];

const windowMs = 600_000;
const maxSpent = 10_000;
/**
 * Attempts per window. Guessers use one address or attack one user, or spread few tries each over many addresses or
 * users. A browser that has signed in before has its own allowance, so that other people's guesses can't lock it out.
 */
const limits = { pair: 10, email: 50, address: 100, device: 10, deviceWithCorrect: 50, user: 10 };

/** Bounds guesses at passwords, codes and tokens, and mails to others, across all replicas. */
export class Attempts {
  readonly #counts: Counts;
  readonly #clock: Clock;
  #prunedAtMs = 0;
  /** When each exhausted subject is allowed again. Until then it is refused without being counted. */
  readonly #spent = new Map<string, number>();

  constructor(counts: Counts, clock: Clock) {
    this.#counts = counts;
    this.#clock = clock;
  }

  /**
   * Counts an attempt; call it before checking a password. `device` is a browser that is known to belong to the user.
   * Returns a function to call if the password was correct: it then counts only towards the wider bounds, which also
   * limit the number of sessions. Throws `rate_limit_exceeded`.
   */
  async admit(address: string, email?: string, device?: string): Promise<() => Promise<void>> {
    const network = networkOf(address);
    const bounds: Bound[] = [];
    let guesses: string | undefined;
    if (device !== undefined) {
      guesses = `device ${device}`;
      bounds.push([guesses, limits.device], [`sign-ins of ${guesses}`, limits.deviceWithCorrect]);
    } else {
      bounds.push([`address ${network}`, limits.address]);
      if (email !== undefined) {
        const named = emailKey(email);
        guesses = `pair ${network} ${named}`;
        bounds.push([guesses, limits.pair], [`email ${named}`, limits.email]);
      }
    }
    const startMs = windowStart(this.#clock.now(), windowMs);
    await this.count(bounds);
    return async () => {
      if (guesses === undefined) return;
      const digest = digestOf(guesses);
      await this.#counts.uncount(digest, startMs);
      // Others at the same time may have found the count too high.
      this.#spent.delete(digest);
    };
  }

  /** Counts an attempt of a signed-in user. Throws `rate_limit_exceeded`. */
  admitUser(userId: string): Promise<void> {
    return this.count([[`user ${userId}`, limits.user]]);
  }

  /** Reports whether a code is used for the first time while it may be valid (RFC 6238, section 5.2). */
  async claimCode(userId: string, code: string): Promise<boolean> {
    return this.#counts.claim(digestOf(`code ${userId} ${code}`), this.#clock.now());
  }

  /** Counts an attempt. Throws `rate_limit_exceeded`. */
  async count(bounds: readonly Bound[], lengthMs: number = windowMs): Promise<void> {
    const nowMs = this.#clock.now();
    await this.#prune(nowMs);
    const startMs = windowStart(nowMs, lengthMs);
    const endMs = startMs + lengthMs;
    for (const [subject, limit] of bounds) {
      const digest = digestOf(subject);
      if ((this.#spent.get(digest) ?? 0) > nowMs) throw tooMany(endMs - nowMs);
      // Stores the start of the window's last ten minutes, so that pruning by a single age fits windows of all lengths.
      const count = await this.#counts.count(digest, endMs - windowMs);
      if (count <= limit) continue;
      if (this.#spent.size < maxSpent) this.#spent.set(digest, endMs);
      throw tooMany(endMs - nowMs);
    }
  }

  /** Keeps the previous window too, because a code stays claimed for as long as it may be valid. */
  async #prune(nowMs: number): Promise<void> {
    const windowStartMs = windowStart(nowMs, windowMs);
    if (this.#prunedAtMs === windowStartMs) return;
    this.#prunedAtMs = windowStartMs;
    for (const [digest, endMs] of this.#spent) if (endMs <= nowMs) this.#spent.delete(digest);
    // Leave the rest to the next attempts. Each deletes more rows than it adds.
    if (await this.#counts.prune(windowStartMs - windowMs)) this.#prunedAtMs = 0;
  }
}

const windowStart = (nowMs: number, lengthMs: number): number => Math.floor(nowMs / lengthMs) * lengthMs;

/** Returns a digest, so that text typed into a form is not stored. */
const digestOf = (subject: string): string => hash('sha256', subject, 'hex');

function tooMany(waitMs: number): ServiceError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes > 120 ? `${Math.ceil(minutes / 60)} hours` : `${minutes} minutes`;
  return new ServiceError('rate_limit_exceeded', `Too many attempts. Try again in ${wait}`, {
    retryAfterSeconds,
  });
}
