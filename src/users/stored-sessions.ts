import { type Kysely, sql } from 'kysely';
import { audited, auditedAny } from '../database/audit.ts';
import { deleteSome } from '../database/housekeeping.ts';
import { readPage } from '../database/keyset.ts';
import type { Database } from '../database/schema.ts';
import { notFound } from '../errors.ts';
import { type Clock, isoTime } from '../lib/clock.ts';
import type { Page, PageQuery } from '../lib/page.ts';
import { type Session, sessionList } from './sessions.ts';

const order = { orders: { renewed: sql.ref('updatedAt') }, id: sql.ref('id') };

/** The sessions of users. Each request looks up its session, so an ended one is refused everywhere immediately. */
export const sessionsIn = (db: Kysely<Database>, clock: Clock) => ({
  /** Returns a page of the user's sessions that have not expired. Throws `invalid_request`. */
  async list(userId: string, query: PageQuery): Promise<Page<Session>> {
    const rows = db
      .selectFrom('sessions')
      .selectAll()
      .where('userId', '=', userId)
      .where('expiresAt', '>', isoTime(clock.now()));
    return readPage(db, sessionList.request(query, [userId]), { rows, ...order }, toSession);
  },

  /** Throws `not_found`. */
  async end(userId: string, sessionId: string): Promise<void> {
    const isEnded = await auditedAny(db, 'session.delete', (transaction) =>
      transaction
        .deleteFrom('sessions')
        .where((eb) => eb.and({ userId, id: sessionId }))
        .returningAll(),
    );
    if (!isEnded) throw notFound('No such session');
  },

  /** Ends the user's sessions except `current`, and returns how many of them had not expired. */
  async endAll(userId: string, current: string | null = null): Promise<number> {
    const ended = await db.transaction().execute((transaction) => {
      const deletion = transaction
        .deleteFrom('sessions')
        .where('userId', '=', userId)
        .$if(current !== null, (query) => query.where('id', '<>', current));
      return audited(transaction, 'session.delete', deletion.returningAll());
    });
    return ended.filter(({ expiresAt }) => expiresAt > isoTime(clock.now())).length;
  },

  /** Deletes some of the expired sessions, links and unfinished sign-ins. Returns whether there may be more. */
  async pruneExpired(): Promise<boolean> {
    const expired = sql`expires_at <= ${isoTime(clock.now())}`;
    const isMore = await deleteSome(db, 'sessions', 'id', expired);
    return (await deleteSome(db, 'verifications', 'id', expired)) || isMore;
  },
});

function toSession(row: Database['sessions']): Session {
  return {
    sessionId: row.id,
    address: row.ipAddress || null,
    userAgent: row.userAgent || null,
    createdAt: Date.parse(row.createdAt),
    renewedAt: Date.parse(row.updatedAt),
    expiresAt: Date.parse(row.expiresAt),
  };
}
