import { type Kysely, sql } from 'kysely';
import { isoTime } from '../lib/clock.ts';
import type { Session, SessionStore } from '../users/sessions.ts';
import { audited, auditedAny } from './audit.ts';
import { deleteSome } from './housekeeping.ts';
import { readPage } from './keyset.ts';
import type { Database } from './schema.ts';

const order = { orders: { renewed: sql.ref('updatedAt') }, id: sql.ref('id') };

export function sessionStore(db: Kysely<Database>): SessionStore {
  return {
    list(userId, nowMs, page) {
      const rows = db
        .selectFrom('sessions')
        .selectAll()
        .where('userId', '=', userId)
        .where('expiresAt', '>', isoTime(nowMs));
      return readPage(db, page, { rows, ...order }, toSession);
    },

    end: (userId, sessionId) =>
      auditedAny(db, 'session.delete', (transaction) =>
        transaction
          .deleteFrom('sessions')
          .where((eb) => eb.and({ userId, id: sessionId }))
          .returningAll(),
      ),

    async endAll(userId, except, nowMs) {
      const ended = await db.transaction().execute((transaction) => {
        const deletion = transaction
          .deleteFrom('sessions')
          .where('userId', '=', userId)
          .$if(except !== null, (query) => query.where('id', '<>', except));
        return audited(transaction, 'session.delete', deletion.returningAll());
      });
      return ended.filter(({ expiresAt }) => expiresAt > isoTime(nowMs)).length;
    },

    async pruneExpired(nowMs) {
      const expired = sql`expires_at <= ${isoTime(nowMs)}`;
      const isMore = await deleteSome(db, 'sessions', 'id', expired);
      return (await deleteSome(db, 'verifications', 'id', expired)) || isMore;
    },
  };
}

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
