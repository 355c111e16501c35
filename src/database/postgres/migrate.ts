import pg from 'pg';
import { fieldsOf } from '../../../packages/small/src/json.ts';
import { retry } from '../../../packages/small/src/retry.ts';
import { codeOf, messageOf, ServiceError } from '../../errors.ts';
import { olderDataMessage, ownSteps, type Steps, stepsTable } from '../migrations/index.ts';
import { busyElsewhere } from '../transactions.ts';
import { lockTimedOut, loggableFault } from './faults.ts';
import { areFunctionsReady, createFunctions } from './functions.ts';
import { withSession } from './session.ts';

const oldestServerVersion = 140_000;
/** The second one stores the bytes that it gets. */
const encodings = ['UTF8', 'SQL_ASCII'];
const neededIsolation = 'read committed';
/** The key of the advisory lock for migrations: the bytes of "embedgat". */
const migrationLock = '7308605957907898740';
/** Together an hour, in which another replica can fill a column or make an index. */
const [turnAttempts, turnPauseMs] = [18_000, 200];
/** All later statements on a table wait while a step waits for it, so a step gives up sooner than a decision does. */
const tableTimeoutMs = 200;
const deadlock = '40P01';
const maxAttempts = 100;
const pauseMs = 500;

/**
 * Brings the schema and the functions up to date, and returns the number of steps that this call took. Each step is a
 * transaction unless it is online, and replicas that start at the same time take turns. Throws if the server can't be
 * reached or is older than PostgreSQL 14, if the role may not have the needed connections, or if the schema is of
 * another program.
 */
export async function migratePostgres(
  url: string,
  neededConnections = 1,
  steps: Steps = ownSteps,
): Promise<number> {
  return withSession(url, async (client) => {
    await requireServer(client, neededConnections);
    let taken = 0;
    for (;;) {
      const version = await versionOf(client, steps);
      if (version >= steps.version) break;
      const { isOnline = false, postgres } = await steps.load(version);
      const take = () => takeStep(client, steps, version);
      const taking = isOnline ? online(url, client, postgres(), take) : inTurn(client, take);
      const isTaken = await taking.catch((reason) => {
        const cause = loggableFault(reason);
        throw new Error(`the step ${steps.names[version]} failed: ${messageOf(cause)}`, { cause });
      });
      if (isTaken) taken += 1;
    }
    if (!(await areFunctionsReady(client))) await inTurn(client, () => createFunctions(client));
    return taken;
  }).catch((reason) => {
    // The class of names of tables, columns and types, without rights.
    const isAboutNames = /^42(?!501)/.test(codeOf(fieldsOf(reason).cause) ?? codeOf(reason) ?? '');
    if (!isAboutNames) throw reason;
    const advice = 'if other programs use this database, use one or a schema of its own';
    throw new Error(`${messageOf(reason)}: ${advice}`, { cause: reason });
  });
}

async function requireServer(client: pg.Client, neededConnections: number): Promise<void> {
  type Row = Record<'name' | 'encoding' | 'isolation', string> & { number: number; limit: number | null };
  const { rows } = await client.query<Row>(
    `SELECT current_setting('server_version_num')::INT AS number, current_setting('server_version') AS name,
       current_setting('server_encoding') AS encoding, current_setting('default_transaction_isolation') AS isolation,
       (SELECT rolconnlimit FROM pg_roles WHERE rolname = session_user AND rolconnlimit >= 0 AND NOT rolsuper) AS limit`,
  );
  const [server] = rows;
  if (!server || server.number < oldestServerVersion) {
    throw new Error(`The server is PostgreSQL ${server?.name}; version 14 or later is needed`);
  }
  const { encoding, isolation, limit } = server;
  if (limit !== null && limit < neededConnections)
    throw new Error(
      `The role may have ${limit} connections, and ${neededConnections} are needed; ALTER ROLE … CONNECTION LIMIT -1`,
    );
  if (!encodings.includes(encoding))
    throw new Error(
      `The database has the encoding ${encoding}; create one with ENCODING 'UTF8' TEMPLATE template0`,
    );
  if (isolation !== neededIsolation)
    throw new Error(
      `The role’s default_transaction_isolation is "${isolation}"; ALTER ROLE … SET ` +
        `default_transaction_isolation = '${neededIsolation}'`,
    );
}

/** Runs `body` in a transaction, in which only one replica is at a time. Runs it again while a table is locked. */
function inTurn<R>(client: pg.Client, body: () => Promise<R>): Promise<R> {
  return retry(() => inTransaction(client, body), { isPassing: isBusy, maxAttempts, pauseMs }).catch(
    async (reason) => {
      throw isBusy(reason) ? new Error(`a table is in use${await userOfTables(client)}`) : reason;
    },
  );
}

async function inTransaction<R>(client: pg.Client, body: () => Promise<R>): Promise<R> {
  await client.query('BEGIN');
  try {
    await takeTurn(client);
    await client.query(`SET LOCAL lock_timeout = ${tableTimeoutMs}`);
    const result = await body();
    await client.query('COMMIT');
    return result;
  } catch (reason) {
    await client.query('ROLLBACK').catch(() => {});
    throw reason;
  }
}

/** Waits until no other replica migrates, and throws `unavailable` after a while. The transaction holds the turn. */
async function takeTurn(client: pg.Client): Promise<void> {
  await client.query(
    'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = 0',
  );
  // CREATE INDEX CONCURRENTLY of another replica would wait for a statement that waits for the lock.
  const take = async () => {
    const { rows } = await client.query(`SELECT pg_try_advisory_xact_lock(${migrationLock}) AS is_ours`);
    if (!rows[0]?.is_ours) throw busyElsewhere();
  };
  await retry(take, {
    isPassing: (reason) => reason instanceof ServiceError,
    maxAttempts: turnAttempts,
    pauseMs: () => turnPauseMs,
  });
}

/** Takes a step outside of a transaction. The transaction of another session holds the turn. */
function online<R>(
  url: string,
  client: pg.Client,
  statements: readonly string[],
  take: () => Promise<R>,
): Promise<R> {
  const made = statements.flatMap(
    (one) => /^CREATE .*INDEX CONCURRENTLY IF NOT EXISTS (\w+)/i.exec(one)?.[1] ?? [],
  );
  const attempt = async () => {
    // CREATE INDEX CONCURRENTLY leaves an index that is not valid if it was interrupted.
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_index JOIN pg_class ON oid = indexrelid
       WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace AND relname = ANY ($1)`,
      [made],
    );
    for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    return take();
  };
  return withSession(url, async (other) => {
    await other.query('BEGIN');
    await takeTurn(other);
    await client.query('SET lock_timeout = 0');
    return retry(attempt, { isPassing: isBusy, maxAttempts, pauseMs });
  });
}

/** Returns whether the step after the version was still to be taken. */
async function takeStep(client: pg.Client, steps: Steps, version: number): Promise<boolean> {
  if ((await versionOf(client, steps)) !== version) return false;
  await steps.take(version, 'postgres', async (statement) => (await client.query(statement)).rowCount ?? 0);
  return true;
}

/** Reports whether another session has a table in use, or was preferred in a deadlock. */
const isBusy = (reason: unknown): boolean =>
  reason instanceof pg.DatabaseError && [lockTimedOut, deadlock].includes(reason.code ?? '');

/** Returns which other session has had a table of the schema in use for the longest time. */
async function userOfTables(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; since: string }>(
    `SELECT pid, application_name AS name, COALESCE(to_char(xact_start, 'HH24:MI:SS TZ'), 'some time') AS since FROM pg_stat_activity
     WHERE pid <> pg_backend_pid() AND pid IN (SELECT l.pid FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
       WHERE l.granted AND c.relnamespace = current_schema()::regnamespace) ORDER BY xact_start LIMIT 1`,
  );
  const [session] = rows;
  return session === undefined
    ? ''
    : `: the session with pid ${session.pid} (${session.name}) has been in a transaction since ${session.since}`;
}

export const postgresVersion = (url: string): Promise<number> =>
  withSession(url, (client) => versionOf(client));

/** Returns the version of the schema, 0 if there is none. Throws for the schema of another program. */
export async function versionOf(client: pg.Client, steps: Steps = ownSteps): Promise<number> {
  // Not in the schemas behind the first one of `search_path`, which can have another installation.
  const own = (table: string) => `to_regclass(quote_ident(current_schema()) || '.${table}')`;
  const { rows } = await client.query(
    `SELECT ${own(stepsTable)} IS NULL AS is_empty, EXISTS (SELECT FROM pg_attribute
       WHERE attrelid = ${own('schema_versions')} AND attname = 'version' AND atttypid = 'BIGINT'::regtype) AS is_older`,
  );
  if (rows[0]?.is_older) throw new Error(olderDataMessage);
  if (rows[0]?.is_empty) return 0;
  const taken = await client.query<{ name: string }>(`SELECT name FROM ${stepsTable}`);
  return steps.versionAfter(taken.rows.map(({ name }) => name));
}
