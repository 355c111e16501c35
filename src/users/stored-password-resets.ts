import { hash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { writeEntry } from '../database/audit.ts';
import type { Database } from '../database/schema.ts';
import { changesAny } from '../database/sql.ts';
import { invalidField } from '../errors.ts';
import { type Clock, isoTime } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { lockUser, replacePassword } from './stored-credentials.ts';

const lifetimeMs = 3_600_000;
/** Using a mailed link proves that the address is the user's. Using a link handed over by an administrator does not. */
const prefixes = { mailed: 'mailed-reset-password', handedOver: 'reset-password' } as const;

/**
 * The links that reset a password. They are in better-auth's table of verifications, under the same digests, so that
 * links sent before an upgrade stay valid.
 */
export const passwordResetsIn = (db: Kysely<Database>, clock: Clock) => ({
  /** Returns the token of a new link, which can't be read again later. */
  async create(userId: string, { mailed }: { mailed: boolean }) {
    const token = randomBytes(24).toString('base64url');
    const expiresAt = clock.now() + lifetimeMs;
    const at = isoTime(clock.now());
    await db.deleteFrom('verifications').where('expiresAt', '<', at).execute();
    const identifier = digestOf(mailed ? prefixes.mailed : prefixes.handedOver, token);
    const times = { expiresAt: isoTime(expiresAt), createdAt: at, updatedAt: at };
    await db.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('verifications')
        .values({ id: newId(), identifier, value: userId, ...times })
        .execute();
      await writeEntry(transaction, 'user.create-reset-link', { after: { userId } });
    });
    return { token, expiresAt };
  },

  /** Throws `invalid_request` if the link was used or has expired. */
  async require(token: string): Promise<void> {
    await find(db, token, clock.now());
  },

  /**
   * Sets the password of the link's user, ends their sessions and their other links, and returns their id. Throws as
   * `require` does, and if the user is disabled.
   */
  use: (token: string, passwordDigest: string): Promise<string> =>
    db.transaction().execute(async (transaction) => {
      const nowMs = clock.now();
      const { identifier, userId, provesAddress } = await find(transaction, token, nowMs);
      const user = await lockUser(transaction, userId, nowMs);
      const link = transaction
        .deleteFrom('verifications')
        .where((eb) => eb.and({ identifier, value: userId }));
      if (!user || user.isDisabled || !(await changesAny(link))) throw noReset();
      const password = { passwordDigest, removeTotp: false, provesAddress };
      await replacePassword(transaction, userId, password, nowMs);
      return userId;
    }),
});

async function find(db: Kysely<Database>, token: string, nowMs: number) {
  const mailed = digestOf(prefixes.mailed, token);
  const row = await db
    .selectFrom('verifications')
    .select(['identifier', 'value as userId'])
    .where('identifier', 'in', [mailed, digestOf(prefixes.handedOver, token)])
    .where('expiresAt', '>', isoTime(nowMs))
    .executeTakeFirst();
  if (!row) throw noReset();
  return { ...row, provesAddress: row.identifier === mailed };
}

const noReset = () => invalidField('token', 'This link is no longer valid: ask for a new one');

const digestOf = (prefix: string, token: string): string => hash('sha256', `${prefix}:${token}`, 'base64url');
