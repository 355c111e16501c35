import { ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';

/** A browser or a program that is signed in as a user. Times in milliseconds since the Unix epoch. */
export interface Session {
  readonly sessionId: string;
  /** Null: the session began before version 0.3, which was the first to keep it. */
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: number;
  /** When the session was renewed last: while it is used, once a day. */
  readonly renewedAt: number;
  readonly expiresAt: number;
}

export interface SessionStore {
  /** Those that have not expired, the one that was renewed last first. */
  list(userId: string, nowMs: number, limit: number): Promise<Session[]>;
  /** False: the user has no such session. */
  end(userId: string, sessionId: string): Promise<boolean>;
  /** `except`: the session that stays. Returns how many ended that had not expired. */
  endAll(userId: string, except: string | null, nowMs: number): Promise<number>;
  /** Deletes some of the sessions that have expired, and of the links and half-finished sign-ins that have. Returns whether there may be more. */
  pruneExpired(nowMs: number): Promise<boolean>;
}

const maxListed = 100;

/** The sessions of users. Each request looks its session up, so one that is ended is refused everywhere at once. */
export class Sessions {
  readonly #store: SessionStore;
  readonly #clock: Clock;

  constructor(store: SessionStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  list(userId: string): Promise<Session[]> {
    return this.#store.list(userId, this.#clock.now(), maxListed);
  }

  /** Throws `not_found`. */
  async end(userId: string, sessionId: string): Promise<void> {
    if (await this.#store.end(userId, sessionId)) return;
    throw new ServiceError('not_found', 'No such session');
  }

  /** Returns how many ended. */
  endOthers(userId: string, current: string): Promise<number> {
    return this.#store.endAll(userId, current, this.#clock.now());
  }

  /** Returns how many ended. */
  endAll(userId: string): Promise<number> {
    return this.#store.endAll(userId, null, this.#clock.now());
  }
}
