import { hash } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { networkOf } from '../lib/network-of.ts';
import { emailKey } from './email.ts';

export interface AttemptStore {
  /** Counts one more in the window that starts at `windowStart`, and returns how many that makes. */
  count(subject: string, windowStart: number): Promise<number>;
  /** True once for each subject, until it is forgotten. */
  claim(subject: string, nowMs: number): Promise<boolean>;
  /** Forgets windows and claims that started before. */
  prune(windowStartBefore: number): Promise<boolean>;
}

/** What is counted, and how often it is allowed in a window. */
export type Bound = readonly [subject: string, limit: number];

const windowMs = 600_000;
const maxSpent = 10_000;
/**
 * Attempts in a window. A guesser has one address or one victim, or many of one and few tries at each. A browser that signed in
 * before has an allowance of its own, so that nobody else's guesses lock it out.
 */
const limits = { pair: 10, email: 50, address: 100, device: 10, user: 10 };

/** Bounds guesses at passwords, codes and tokens, and mails to others, for all replicas together. */
export class Attempts {
  readonly #store: AttemptStore;
  readonly #clock: Clock;
  #prunedAtMs = 0;
  /** When a subject that has used up what it may have gets more: it is refused until then without being counted. */
  readonly #spent = new Map<string, number>();

  constructor(store: AttemptStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** To be called before a password is looked at. `device`: a browser that is known to belong to the user. Throws `rate_limit_exceeded`. */
  async admit(address: string, email?: string, device?: string): Promise<void> {
    if (device !== undefined) return this.#countAll([[`device ${device}`, limits.device]]);
    const network = networkOf(address);
    const bounds: Bound[] = [[`address ${network}`, limits.address]];
    if (email !== undefined) {
      const named = emailKey(email);
      bounds.push([`pair ${network} ${named}`, limits.pair], [`email ${named}`, limits.email]);
    }
    return this.#countAll(bounds);
  }

  /** The same for somebody who is signed in. */
  admitUser(userId: string): Promise<void> {
    return this.#countAll([[`user ${userId}`, limits.user]]);
  }

  /** Counts in windows of another length. Throws `rate_limit_exceeded`. */
  count(bounds: readonly Bound[], lengthMs: number): Promise<void> {
    return this.#countAll(bounds, lengthMs);
  }

  /** Whether a code is used for the first time while it may be valid (RFC 6238, section 5.2). */
  async claimCode(userId: string, code: string): Promise<boolean> {
    return this.#store.claim(digestOf(`code ${userId} ${code}`), this.#clock.now());
  }

  async #countAll(bounds: readonly Bound[], lengthMs: number = windowMs): Promise<void> {
    const nowMs = this.#clock.now();
    await this.#prune(nowMs);
    const endMs = (Math.floor(nowMs / lengthMs) + 1) * lengthMs;
    for (const [subject, limit] of bounds) {
      const digest = digestOf(subject);
      if ((this.#spent.get(digest) ?? 0) > nowMs) throw tooMany(endMs - nowMs);
      // Named by its last ten minutes, so that one bound on the age fits windows of all lengths.
      const count = await this.#store.count(digest, endMs - windowMs);
      if (count <= limit) continue;
      if (this.#spent.size < maxSpent) this.#spent.set(digest, endMs);
      throw tooMany(endMs - nowMs);
    }
  }

  /** Keeps one more window than the current one: a code is claimed for as long as it may be valid. */
  async #prune(nowMs: number): Promise<void> {
    const windowStart = Math.floor(nowMs / windowMs) * windowMs;
    if (this.#prunedAtMs === windowStart) return;
    this.#prunedAtMs = windowStart;
    for (const [digest, endMs] of this.#spent) if (endMs <= nowMs) this.#spent.delete(digest);
    // The rest is for the attempts that follow: each deletes more rows than it adds.
    if (await this.#store.prune(windowStart - windowMs)) this.#prunedAtMs = 0;
  }
}

/** What people type into a form is not kept. */
const digestOf = (subject: string): string => hash('sha256', subject, 'hex');

function tooMany(waitMs: number): ServiceError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes > 120 ? `${Math.ceil(minutes / 60)} hours` : `${minutes} minutes`;
  return new ServiceError('rate_limit_exceeded', `Too many attempts. Try again in ${wait}`, {
    retryAfterSeconds,
  });
}
