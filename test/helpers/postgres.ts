import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import type { Order, Ready, Report, StopMode } from './postgres-server.ts';

/** A Postgres with as many empty databases as a test needs. It ends with its scope, or with the process. */
export interface TestPostgres extends AsyncDisposable {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
}

/** A Postgres of the test's own, which it may stop and break. */
export interface OwnPostgres extends TestPostgres {
  /** Its data directory. */
  readonly directory: string;
  /** Its address, without the name of a database. */
  readonly url: string;
  /** Resolves when the server's process is gone. `immediate` is a crash. */
  stop(mode: StopMode): Promise<void>;
  /** Resolves when it accepts connections again, on the same port, with the same data. */
  start(): Promise<void>;
}

/** The server that TEST_DATABASE_URL names, or one of our own. */
export async function openPostgres(): Promise<TestPostgres> {
  const url = process.env.TEST_DATABASE_URL;
  return url ? databasesOn(url) : startPostgres();
}

/**
 * A new server on a free port of this machine. `durable`: it waits for the disk and requires passwords by
 * SCRAM, as in production. `copyOf`: the data directory of a stopped server, whose data the new one copies.
 * `standbyOf`: the address of the server that the new one follows. `environment` is added to the server's
 * own.
 */
export async function startPostgres(
  options: {
    durable?: boolean;
    copyOf?: string;
    standbyOf?: string;
    environment?: Record<string, string>;
  } = {},
): Promise<OwnPostgres> {
  const args = [
    ...(options.durable ? ['--durable'] : []),
    ...(options.copyOf === undefined ? [] : [`--copy-of=${options.copyOf}`]),
    ...(options.standbyOf === undefined ? [] : [`--standby-of=${options.standbyOf}`]),
  ];
  const child = fork(new URL('./postgres-server.ts', import.meta.url), args, {
    // So that a terminal's Ctrl-C reaches the tests first, and the server's process through them.
    detached: true,
    env: { ...process.env, ...options.environment },
    execArgv: ['--no-warnings'],
  });
  const { url, directory } = await answerOf<Ready>(child);
  child.unref();
  child.channel?.unref();
  const order = orders(child);
  return {
    ...databasesOn(`${url}/postgres`),
    directory,
    url,
    stop: (mode) => order({ do: 'stop', mode }),
    start: () => order({ do: 'start' }),
    async [Symbol.asyncDispose]() {
      child.ref();
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/**
 * A database of a role that owns it and may do nothing else, as in production, and the administrator's access
 * to it.
 */
export async function ownedDatabase(postgres: TestPostgres): Promise<{ url: string; adminUrl: string }> {
  const adminUrl = await postgres.createDatabase();
  await runSql(adminUrl, `CREATE ROLE app LOGIN PASSWORD 'app-password'`);
  await runSql(adminUrl, `ALTER DATABASE ${new URL(adminUrl).pathname.slice(1)} OWNER TO app`);
  const url = new URL(adminUrl);
  url.username = 'app';
  url.password = 'app-password';
  return { url: url.href, adminUrl };
}

/** Runs a statement, or several without values, on a connection of its own. */
export async function runSql(url: string, sql: string, values: unknown[] = []): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Executes a statement in a transaction that stays open, with its locks, until it is disposed of. Resolves once it has
 * the locks.
 */
export async function holdLocks(url: string, statement: string): Promise<AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`BEGIN; ${statement}`);
  } catch (reason) {
    await client.end();
    throw reason;
  }
  return {
    async [Symbol.asyncDispose]() {
      // The server notices the end of a connection later. A test may have ended it itself.
      await client.query('ROLLBACK').catch(() => {});
      await client.end();
    },
  };
}

function databasesOn(adminUrl: string): TestPostgres {
  const made: string[] = [];
  return {
    async createDatabase() {
      const name = `embedgate_test_${randomBytes(6).toString('hex')}`;
      await runSql(adminUrl, `CREATE DATABASE ${name}`);
      made.push(name);
      const url = new URL(adminUrl);
      url.pathname = name;
      return url.href;
    },
    async [Symbol.asyncDispose]() {
      for (const name of made) await runSql(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function answerOf<A>(child: ChildProcess): Promise<A> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the Postgres process ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (answer) => {
      child.off('exit', onExit);
      resolve(answer as A);
    });
  });
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** Orders are executed in sequence: each waits for its report. */
function orders(child: ChildProcess): (order: WithoutId<Order>) => Promise<void> {
  let nextId = 0;
  return async (order) => {
    child.ref();
    child.channel?.ref();
    child.send({ ...order, id: nextId++ });
    const { error } = await answerOf<Report>(child);
    child.unref();
    child.channel?.unref();
    if (error !== undefined) throw new Error(error);
  };
}
