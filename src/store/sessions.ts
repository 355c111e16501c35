import type { Kysely, Selectable } from 'kysely';
import type { Session, SessionStore } from '../accounts/sessions.ts';
import { isoTime } from './credentials.ts';
import { isFull, rowsPerStep } from './rows-per-step.ts';
import type { Database } from './schema.ts';

export function sessionStore(db: Kysely<Database>): SessionStore {
  return {
    async list(userId, nowMs, limit) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('expires_at', '>', isoTime(nowMs))
        .orderBy('updated_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toSession);
    },

    async end(userId, sessionId) {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .where('id', '=', sessionId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async endAll(userId, except, nowMs) {
      const ended = await db
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .$if(except !== null, (query) => query.where('id', '<>', except))
        .returning('expires_at')
        .execute();
      return ended.filter(({ expires_at }) => expires_at > isoTime(nowMs)).length;
    },

    async pruneExpired(nowMs) {
      const now = isoTime(nowMs);
      let isMore = false;
      for (const table of ['sessions', 'verifications'] as const) {
        const deleted = await db
          .deleteFrom(table)
          .where('id', 'in', (eb) =>
            eb.selectFrom(table).select('id').where('expires_at', '<=', now).limit(rowsPerStep),
          )
          .where('expires_at', '<=', now)
          .executeTakeFirst();
        isMore ||= isFull(deleted);
      }
      return isMore;
    },
  };
}

/** Without the token, which signs in. */
function toSession(row: Selectable<Database['sessions']>): Session {
  return {
    sessionId: row.id,
    address: row.ip_address || null,
    userAgent: row.user_agent || null,
    createdAt: Date.parse(row.created_at),
    renewedAt: Date.parse(row.updated_at),
    expiresAt: Date.parse(row.expires_at),
  };
}
