import { notFound } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Page, PageQuery, PageRequest } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';

/** A browser or a program that is signed in as a user. Times are in milliseconds since the Unix epoch. */
export interface Session {
  readonly sessionId: string;
  /** Null: not known. */
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: number;
  /** When the session was last renewed. A session in use is renewed once a day. */
  readonly renewedAt: number;
  readonly expiresAt: number;
}

export const sessionList = new PagedList('sessions', {
  orders: { renewed: 'text' },
  defaultSort: '-renewed',
});

export interface SessionStore {
  /** Returns a page of the sessions that have not expired. */
  list(userId: string, nowMs: number, page: PageRequest): Promise<Page<Session>>;
  /** False: the user has no such session. */
  end(userId: string, sessionId: string): Promise<boolean>;
  /** Ends all sessions except `except`. Returns how many unexpired sessions ended. */
  endAll(userId: string, except: string | null, nowMs: number): Promise<number>;
  /** Deletes some of the expired sessions, links and unfinished sign-ins. Returns whether there may be more. */
  pruneExpired(nowMs: number): Promise<boolean>;
}

/**
 * Manages the sessions of users. Each request looks up its session, so an ended session is refused everywhere
 * immediately.
 */
export class Sessions {
  readonly #store: SessionStore;
  readonly #clock: Clock;

  constructor(store: SessionStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns a page of a user's sessions. Throws `invalid_request`. */
  async list(userId: string, query: PageQuery): Promise<Page<Session>> {
    return this.#store.list(userId, this.#clock.now(), sessionList.request(query, [userId]));
  }

  /** Throws `not_found`. */
  async end(userId: string, sessionId: string): Promise<void> {
    if (await this.#store.end(userId, sessionId)) return;
    throw notFound('No such session');
  }

  /** Ends the user's other sessions and returns how many. */
  endOthers(userId: string, current: string): Promise<number> {
    return this.#store.endAll(userId, current, this.#clock.now());
  }

  /** Ends all of the user's sessions and returns how many. */
  endAll(userId: string): Promise<number> {
    return this.#store.endAll(userId, null, this.#clock.now());
  }
}
