import type { Kysely } from 'kysely';
import { retry } from '../../packages/small/src/retry.ts';
import { codeOf, notFound, ServiceError } from '../errors.ts';
import { isForeignKeyViolation } from '../lib/database.ts';
import type { DatabaseKind } from './migrations/database-kind.ts';
import type { Database } from './schema.ts';

/**
 * SQLSTATE of a transaction that the server has rolled back in favour of another: a deadlock, or a serialization
 * failure.
 */
const rolledBack = new Set(['40P01', '40001']);
const attempts = { maxAttempts: 3, pauseMs: 10 };

/**
 * Runs a transaction, and runs it again if the server has rolled it back in favour of another; it has had no effect
 * then. SQLite never does that.
 */
export function retryIfRolledBack<R>(transaction: () => Promise<R>): Promise<R> {
  return retry(transaction, { isPassing: wasRolledBack, ...attempts });
}

/**
 * Runs a transaction that deletes a row and the rows that refer to it. Runs it again if another such row was written
 * after it had deleted them, and if the server has rolled it back in favour of another.
 */
export function retryDeletion<R>(transaction: () => Promise<R>): Promise<R> {
  const isPassing = (reason: unknown) => wasRolledBack(reason) || isForeignKeyViolation(reason);
  return retry(transaction, { isPassing, ...attempts });
}

const wasRolledBack = (reason: unknown): boolean => rolledBack.has(String(codeOf(reason)));

const noOrganization = (): ServiceError => notFound('No such organization');

/** Returns what `write` returns. Throws `gone` if a row that it refers to, such as its organization, was deleted meanwhile. */
export async function unlessDeleted<R>(write: Promise<R>, gone = noOrganization): Promise<R> {
  try {
    return await write;
  } catch (reason) {
    throw isForeignKeyViolation(reason) ? gone() : reason;
  }
}

/**
 * Locks an organization, so that transactions that count what it has and then add to it run one after another. Unlike a
 * change of the row, the lock notifies no replica. False: there is no such organization.
 */
export async function lockOrganization(
  transaction: Kysely<Database>,
  databaseKind: DatabaseKind,
  orgId: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('organizations')
    .select('orgId')
    .where('orgId', '=', orgId)
    // SQLite runs one transaction at a time.
    .$if(databaseKind === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  return row !== undefined;
}

export const busyElsewhere = (): ServiceError =>
  new ServiceError('unavailable', 'Another command is doing this right now; try again when it is done');
