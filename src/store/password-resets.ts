import type { Kysely } from 'kysely';
import { isoTime } from '../lib/clock.ts';
import type { PasswordResetStore } from '../users/password-resets.ts';
import { writeEntry } from './audit.ts';
import { lockUser, replacePassword } from './credentials.ts';
import type { Database } from './schema.ts';
import { changesAny } from './sql.ts';

/**
 * Stores links in better-auth's table of verifications, under the same digests, so that links sent before an upgrade
 * stay valid.
 */
export function passwordResetStore(db: Kysely<Database>): PasswordResetStore {
  return {
    async insert({ resetId, digest, userId, expiresAt, nowMs }) {
      const at = isoTime(nowMs);
      await db.deleteFrom('verifications').where('expiresAt', '<', at).execute();
      const times = { expiresAt: isoTime(expiresAt), createdAt: at, updatedAt: at };
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('verifications')
          .values({ id: resetId, identifier: digest, value: userId, ...times })
          .execute();
        await writeEntry(transaction, 'user.create-reset-link', { after: { userId } });
      });
    },

    async find(digests, nowMs) {
      const row = await db
        .selectFrom('verifications')
        .select(['identifier', 'value'])
        .where('identifier', 'in', digests)
        .where('expiresAt', '>', isoTime(nowMs))
        .executeTakeFirst();
      return row && { digest: row.identifier, userId: row.value };
    },

    use({ digest, userId }, password) {
      return db.transaction().execute(async (transaction) => {
        const user = await lockUser(transaction, userId, password.nowMs);
        if (user?.isDisabled) return false;
        const link = transaction
          .deleteFrom('verifications')
          .where((eb) => eb.and({ identifier: digest, value: userId }));
        return (await changesAny(link)) && replacePassword(transaction, userId, password);
      });
    },
  };
}
