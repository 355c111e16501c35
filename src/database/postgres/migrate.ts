import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { retry } from '../../../packages/small/src/retry.ts';
import { codeOf, messageOf } from '../../errors.ts';
import { olderDataMessage, schemaVersion, stepsTable, takeStep, versionAfter } from '../migrations/index.ts';
import { isAboutData, lockTimedOut } from './faults.ts';
import { areFunctionsReady, createFunctions } from './functions.ts';
import { withSession } from './session.ts';

const oldestServerVersion = 140_000;
/** The second one stores the bytes that it gets. */
const encodings = ['UTF8', 'SQL_ASCII'];
const neededIsolation = 'read committed';
/** The key of the advisory lock for migrations: the bytes of "embedgat". */
const migrationLock = '7308605957907898740';
/** How long an attempt waits for the migration of another replica. */
const turnTimeoutMs = 30_000;
/**
 * While a step waits for a table, all later statements on the table wait too. So it gives up soon, and tries again
 * later.
 */
const tableTimeoutMs = 2_000;
const maxAttempts = 20;
const pauseMs = 500;

/**
 * Brings the schema and the functions up to date, and returns the number of steps that this call took. Each step is a
 * transaction, and replicas that start at the same time take turns. Throws if the server can't be reached or is older
 * than PostgreSQL 14, if the role may not have the needed connections, or if the schema is of another program.
 */
export async function migratePostgres(url: string, neededConnections = 1): Promise<number> {
  return withSession(url, async (client) => {
    await requireServer(client, neededConnections);
    let steps = 0;
    for (let isDone = false; !isDone; ) {
      isDone = (await versionOf(client)) === schemaVersion;
      if (!isDone && (await inTurn(client, () => takeNext(client)))) steps += 1;
    }
    if (!(await areFunctionsReady(client))) await inTurn(client, () => createFunctions(client));
    return steps;
  }).catch((reason) => {
    // A refusal of a step is usually about a table, a type or a column of another program.
    if (!isAboutData(reason) || codeOf(reason) === '42501') throw reason;
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
  return retry(() => inTransaction(client, body), { isPassing: isBusy, maxAttempts, pauseMs });
}

async function inTransaction<R>(client: pg.Client, body: () => Promise<R>): Promise<R> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${turnTimeoutMs}`);
    await client.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    await client.query(`SET LOCAL lock_timeout = ${tableTimeoutMs}`);
    const result = await body();
    await client.query('COMMIT');
    return result;
  } catch (reason) {
    await client.query('ROLLBACK').catch(() => {});
    throw reason;
  }
}

/** Returns whether there still was a step to take. */
async function takeNext(client: pg.Client): Promise<boolean> {
  if ((await versionOf(client)) === schemaVersion) return false;
  // Kysely catches the error of a statement and sends another one, which then fails because the transaction is aborted.
  let refusal: unknown;
  const query = async (text: string, values: unknown[]) => {
    // Its own lock would belong to the session, and it sets lock_timeout to an hour. `inTurn` takes its place.
    if (/pg_advisory_(un)?lock\(/.test(text)) return { command: 'SELECT', rowCount: 0, rows: [] };
    return client.query(text, values).catch((reason) => {
      refusal ??= reason;
      throw reason;
    });
  };
  // Kysely releases its connection after each statement; this one stays the session's.
  const connection = { query, release: () => {} } as Pick<
    PostgresPoolClient,
    'release'
  > as PostgresPoolClient;
  const pool = { options: {}, connect: async () => connection, end: async () => {} };
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const { rows } = await client.query<{ name: string | null }>('SELECT current_schema() AS name');
  await takeStep(db, 'postgres', rows[0]?.name ?? undefined).catch((reason) => {
    throw refusal ?? reason;
  });
  return true;
}

const isBusy = (reason: unknown): boolean =>
  reason instanceof pg.DatabaseError && reason.code === lockTimedOut;

export const postgresVersion = (url: string): Promise<number> => withSession(url, versionOf);

/** Returns the version of the schema, 0 if there is none. Throws for the schema of another program. */
export async function versionOf(client: pg.Client): Promise<number> {
  // Not in the schemas behind the first one of `search_path`, which can have another installation.
  const own = (table: string) => `to_regclass(quote_ident(current_schema()) || '.${table}')`;
  const { rows } = await client.query(
    `SELECT ${own(stepsTable)} IS NULL AS is_empty, EXISTS (SELECT FROM pg_attribute
       WHERE attrelid = ${own('schema_versions')} AND attname = 'version' AND atttypid = 'BIGINT'::regtype) AS is_older`,
  );
  if (rows[0]?.is_older) throw new Error(olderDataMessage);
  if (rows[0]?.is_empty) return 0;
  const steps = await client.query<{ name: string }>(`SELECT name FROM ${stepsTable}`);
  return versionAfter(steps.rows.map(({ name }) => name));
}
