import pg from 'pg';
import { retry } from '../../lib/retry.ts';
import { bindBeforeStep, type TokenSigner } from '../bind-before-step.ts';
import { bindsTokensAfter, migrations, newerSchemaMessage, schemaVersion } from '../migrations/index.ts';
import type { Migration } from '../migrations/migration.ts';
import { lockTimedOut } from './faults.ts';
import { kyselyOver, Pool } from './pool.ts';
import { withSession } from './session.ts';

const oldestServerVersion = 140_000;
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

interface MigrateOptions {
  /** Needed if a release before 0.3 has created keys. */
  readonly signer?: TokenSigner;
  /** The version to stop at, by default the newest. */
  readonly through?: number;
}

const noSigner: TokenSigner = {
  keyring() {
    throw new Error('The keys of an older release need the signing key for the upgrade');
  },
};

/**
 * Brings the schema up to date, and returns the number of steps that this call took. Each step is a transaction, and
 * replicas that start at the same time take turns. Re-signs tokens before the step that needs it, while other replicas
 * serve. Throws if the server can't be reached or is older than PostgreSQL 14, or if the schema is newer than this
 * program.
 */
export async function migratePostgres(
  url: string,
  { signer = noSigner, through = schemaVersion }: MigrateOptions = {},
): Promise<number> {
  return withSession(url, async (client) => {
    await requireVersion(client);
    let steps = 0;
    for (;;) {
      const version = await versionOf(client);
      if (version >= through) break;
      if (bindsTokensAfter(version)) await bind(url, signer);
      if (await retry(() => takeStep(client), { isPassing: isBusy, maxAttempts, pauseMs })) steps += 1;
    }
    return steps;
  });
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `SELECT current_setting('server_version_num')::INT AS number, current_setting('server_version') AS name`,
  );
  const [server] = rows;
  if (!server || server.number < oldestServerVersion) {
    throw new Error(`The server is PostgreSQL ${server?.name}; version 14 or later is needed`);
  }
}

/** Uses a connection of its own. Its transactions are short, and have the same deadlines as those of the service. */
async function bind(url: string, signer: TokenSigner): Promise<void> {
  const pool = new Pool(url, 1);
  try {
    await bindBeforeStep(kyselyOver(pool), 'postgres', signer);
  } finally {
    await pool.close();
  }
}

/** Waits for its turn, and applies the next step, if there still is one. */
async function takeStep(client: pg.Client): Promise<boolean> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${turnTimeoutMs}`);
    await client.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    await client.query(`SET LOCAL lock_timeout = ${tableTimeoutMs}`);
    // A query for the table's existence could use catalog data from before our turn.
    await client.query(
      `CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL)`,
    );
    const next = migrations[await lastVersion(client)];
    if (next) await apply(client, next);
    await client.query('COMMIT');
    return next !== undefined;
  } catch (reason) {
    await client.query('ROLLBACK').catch(() => {});
    throw reason;
  }
}

async function apply(client: pg.Client, { version, statements }: Migration): Promise<void> {
  for (const statement of statements('postgres')) await client.query(statement);
  await client.query('INSERT INTO schema_versions VALUES ($1, now())', [version]);
}

const isBusy = (reason: unknown): boolean =>
  reason instanceof pg.DatabaseError && reason.code === lockTimedOut;

export const postgresVersion = (url: string): Promise<number> => withSession(url, versionOf);

/** Returns the version of the schema, 0 if there is none. Throws if it is newer than this program. */
export async function versionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query(`SELECT to_regclass('schema_versions') IS NULL AS is_empty`);
  return rows[0]?.is_empty ? 0 : lastVersion(client);
}

async function lastVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query('SELECT COALESCE(max(version), 0) AS version FROM schema_versions');
  const found: number = rows[0]?.version;
  if (found > schemaVersion) throw new Error(newerSchemaMessage(found));
  return found;
}
