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
