import { type Kysely, sql } from 'kysely';
import { audited, auditedAny, locked, writeEntry } from '../database/audit.ts';
import type { Database } from '../database/schema.ts';
import type { DatabaseTime } from '../database/sql.ts';
import { unlessDeleted } from '../database/transactions.ts';
import { invalidField, notFound, type ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { scopesOf } from './ask.ts';
import { limitStandingOf } from './decide.ts';
import {
  type Limit,
  type LimitScope,
  type ListedLimit,
  maxAmount,
  type NewLimit,
  ownScope,
  scopeIdOf,
} from './limit.ts';
import { canWaitFor } from './window.ts';

/** The id of the scope of a limit's row, as `scopeIdOf` returns it. An index has the same expression. */
export const scopeId = `COALESCE(key_id, 'user ' || user_id, NULLIF(applies_to, 'requests'), '')`;

/** The columns of a limit as the ledger reads them. */
export const limitColumns = `limit_id AS "limitId", key_id AS "keyId", user_id AS "userId",
  applies_to AS "appliesTo", unit, window_kind AS window, amount, max_wait_ms AS "maxWaitMs",
  window_start AS "startMs", used`;

/** A key whose limits are asked for. */
type LimitedKey = Pick<Database['api_keys'], 'keyId' | 'firstKeyId' | 'userId'>;

/** The limits of organizations, their keys and their users, beside the quota of the tier. */
export const limitsIn = (db: Kysely<Database>, clock: Clock, time: DatabaseTime) => ({
  /**
   * Adds a limit, which applies from the next request on and starts at zero, or changes the one that its scope has of
   * this unit, window and setter. Throws `not_found` if there is no such organization, key or user, and
   * `invalid_request`.
   */
  async add(
    orgId: string,
    { unit, window, amount, maxWaitMs = null, setBy = 'operator', ...named }: NewLimit,
  ): Promise<ListedLimit> {
    const scope = await scopeOf(db, orgId, named);
    if (scope.userId !== null && !(await isUser(db, orgId, scope.userId)))
      throw notFound(`Neither a member nor the user of a key: ${scope.userId}`);
    requireAmount(amount);
    if ((unit === 'requests_at_once') !== (window === 'none'))
      throw invalidField('window', 'A limit has a window, except one of requests_at_once');
    if (maxWaitMs !== null && !canWaitFor(window))
      throw invalidField(
        'max_wait_seconds',
        'Requests can wait only for a limit per second or minute, or of requests at a time',
      );
    const own = { unit, amount, maxWaitMs, setBy };
    const limit = { limitId: newId(), orgId, ...scope, ...own, createdAt: clock.now() };
    const insertion = auditedAny(db, 'limit.create', (transaction) =>
      transaction
        .insertInto('limits')
        .values({ ...limit, windowKind: window, windowStart: 0, used: 0 })
        // The unique index has an expression, so it can't be named by columns.
        .onConflict((conflict) => conflict.doNothing())
        .returningAll(),
    );
    if (!(await unlessDeleted(insertion))) {
      const same = (await this.list(orgId, scope)).find(
        (one) => one.unit === unit && one.window === window && one.setBy === setBy,
      );
      if (!same) throw notFound('The limit has just been removed. Try again');
      return this.setAmount(orgId, same.limitId, amount, maxWaitMs);
    }
    return limitStandingOf({ ...limit, window, startMs: 0, used: 0 }, clock.now());
  },

  /** Returns the limits of a scope, with what they have counted. Throws `not_found`. */
  async list(orgId: string, named: Partial<LimitScope>): Promise<ListedLimit[]> {
    return standingsOf(db, time, orgId, [scopeIdOf(await scopeOf(db, orgId, named))]);
  },

  /** Returns the limits of the organization, and those that apply to one of its keys. */
  applying(orgId: string, key: LimitedKey | null): Promise<ListedLimit[]> {
    return standingsOf(
      db,
      time,
      orgId,
      key ? scopesOf({ limitsKeyId: firstOf(key), limitsUserId: key.userId }) : [ownScope],
    );
  },

  /** Throws `not_found`. */
  async find(orgId: string, limitId: string): Promise<Pick<Limit, 'setBy'>> {
    const found = await db
      .selectFrom('limits')
      .select('setBy')
      .where((eb) => eb.and({ orgId, limitId }))
      .executeTakeFirst();
    if (!found) throw noLimit(limitId);
    return found;
  },

  /**
   * Changes the amount from the next request on. What was used stays used. Throws `not_found` and `invalid_request`.
   */
  setAmount(orgId: string, limitId: string, amount: number, maxWaitMs?: number | null): Promise<ListedLimit> {
    return db.transaction().execute(async (transaction) => {
      requireAmount(amount);
      const before = await locked(transaction, 'limits', 'limitId', limitId);
      if (before?.orgId !== orgId) throw noLimit(limitId);
      const changes = { amount, ...(maxWaitMs !== undefined && { maxWaitMs }) };
      await transaction.updateTable('limits').set(changes).where('limitId', '=', limitId).execute();
      await writeEntry(transaction, 'limit.change', { before, after: { ...before, ...changes } });
      const { windowKind: window, windowStart: startMs, ...limit } = { ...before, ...changes };
      return limitStandingOf({ ...limit, window, startMs }, clock.now());
    });
  },

  /** Throws `not_found`. */
  async remove(orgId: string, limitId: string): Promise<void> {
    const isDeleted = await auditedAny(db, 'limit.delete', (transaction) =>
      transaction
        .deleteFrom('limits')
        .where((eb) => eb.and({ orgId, limitId }))
        .returningAll(),
    );
    if (!isDeleted) throw noLimit(limitId);
  },
});

async function isUser(db: Kysely<Database>, orgId: string, userId: string): Promise<boolean> {
  const found = (['members', 'api_keys'] as const).map((table) =>
    db
      .selectFrom(table)
      .select('userId')
      .where((eb) => eb.and({ orgId, userId }))
      .limit(1)
      .executeTakeFirst(),
  );
  return (await Promise.all(found)).some((one) => one !== undefined);
}

async function scopeOf(
  db: Kysely<Database>,
  orgId: string,
  { keyId = null, userId = null, appliesTo = 'requests' }: Partial<LimitScope>,
): Promise<LimitScope> {
  if ([keyId !== null, userId !== null, appliesTo === 'new_keys'].filter(Boolean).length > 1)
    throw invalidField(
      'key_id',
      'A limit applies to one key, to one user or to new keys, not to several of them',
    );
  if (keyId === null) return { keyId, userId, appliesTo };
  const key = await db
    .selectFrom('api_keys')
    .select(['keyId', 'firstKeyId'])
    .where((eb) => eb.and({ orgId, keyId }))
    .executeTakeFirst();
  if (!key) throw notFound(`No such key: ${keyId}`);
  return { keyId: firstOf(key), userId, appliesTo };
}

/** Returns the limits of scopes, with what they have counted. */
export async function standingsOf(
  db: Kysely<Database>,
  time: DatabaseTime,
  orgId: string,
  scopeIds: readonly string[],
): Promise<ListedLimit[]> {
  const { rows } = await sql<Omit<ListedLimit, 'resetsAtMs'> & { nowMs: number }>`
    SELECT ${sql.raw(limitColumns)}, set_by AS "setBy", ${time()} AS "nowMs" FROM limits
    WHERE org_id = ${orgId} AND ${sql.raw(scopeId)} IN (${sql.join(scopeIds)}) ORDER BY limit_id`.execute(db);
  return rows.map(({ nowMs, ...limit }) => limitStandingOf(limit, nowMs));
}

/** The keys of a chain of rotations share the limits of the first one. */
const firstOf = ({ keyId, firstKeyId }: Pick<LimitedKey, 'keyId' | 'firstKeyId'>): string =>
  firstKeyId ?? keyId;

function requireAmount(amount: number): void {
  if (Number.isSafeInteger(amount) && amount >= 1 && amount <= maxAmount) return;
  throw invalidField('amount', `amount must be a whole number from 1 to ${maxAmount}`);
}

const noLimit = (limitId: string): ServiceError => notFound(`No such limit: ${limitId}`);

/** Gives a new key the limits that its organization has for new keys. */
export async function addLimitsOfNewKey(
  db: Kysely<Database>,
  { orgId, keyId, createdAt }: { orgId: string; keyId: string; createdAt: number },
): Promise<void> {
  const rows = await db
    .selectFrom('limits')
    .selectAll()
    .where((eb) => eb.and({ orgId, appliesTo: 'new_keys' }))
    .execute();
  const own = { keyId, createdAt, appliesTo: 'requests' } as const;
  const added = rows.map((row) => ({ ...row, ...own, limitId: newId() }));
  if (added.length > 0)
    await audited(db, 'limit.create', db.insertInto('limits').values(added).returningAll());
}

/** Deletes the limits of chains of keys of which `pruneEnded` has deleted the last key. */
export async function deleteLimitsWithoutKeys(db: Kysely<Database>, orgId: string): Promise<void> {
  await db
    .deleteFrom('limits')
    .where('orgId', '=', orgId)
    .where('keyId', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('api_keys')
            .select('api_keys.keyId')
            .where((eb) =>
              eb.or([
                eb('api_keys.keyId', '=', eb.ref('limits.keyId')),
                eb('api_keys.firstKeyId', '=', eb.ref('limits.keyId')),
              ]),
            ),
        ),
      ),
    )
    .execute();
}
