import { sql } from 'kysely';
import type { Clock } from '../../../src/lib/clock.ts';
import { openPostgresStores } from '../../../src/service/postgres/open.ts';
import { openSqliteStores } from '../../../src/service/sqlite/open.ts';
import type { Stores } from '../../../src/service/stores.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { openPostgres } from '../../helpers/postgres.ts';
import { slowStatement } from '../../helpers/second-connection.ts';
import { openRelay } from '../../helpers/tcp-relay.ts';
import { patient } from '../../service/store/postgres/replicas.ts';

/** Processes that share a database, whose responses can be lost. */
export interface World extends AsyncDisposable {
  readonly replicas: readonly Stores[];
  /** Runs `write` so that the database executes it and its outcome is lost. */
  losing(replica: number, write: () => Promise<void>): Promise<void>;
}

/** The deadline while an outcome is to be lost: shorter than the statement that delays the calls. */
const losingDeadlineMs = 50;
/** So long that a busy machine keeps it. */
const usualDeadlineMs = 60_000;
const slowSteps = 3_000_000;

export async function sqliteWorld(clock: Clock): Promise<World> {
  const directory = temporaryDirectory();
  let deadlineMs = usualDeadlineMs;
  const stores = await openSqliteStores(directory.path, clock, undefined, {
    deadlineMs: () => deadlineMs,
  });
  return {
    replicas: [stores],
    async losing(_, write) {
      const { db } = (await stores.authDatabase()) as { db: Parameters<typeof slowStatement>[0] };
      deadlineMs = losingDeadlineMs;
      // It fails by the same deadline and keeps the thread busy.
      const slow = slowStatement(db, slowSteps).catch(() => {});
      await new Promise(setImmediate);
      await write();
      await slow;
      deadlineMs = usualDeadlineMs;
      // Waits until the thread is free.
      await sql`SELECT 1`.execute(db);
    },
    async [Symbol.asyncDispose]() {
      await stores.close();
      directory[Symbol.dispose]();
    },
  };
}

export async function postgresWorld(clock: Clock): Promise<World> {
  const postgres = await openPostgres();
  const url = await postgres.createDatabase();
  const relays = await Promise.all([openRelay(url), openRelay(url), openRelay(url)]);
  const replicas = await Promise.all(
    relays.map((relay) => openPostgresStores(relay.url, { ...patient, windowClock: clock, listenUrl: url })),
  );
  return {
    replicas,
    async losing(replica, write) {
      for (const text of ['add_usage', 'flush_quota']) void relays[replica]!.loseAnswerTo(text);
      await write();
      relays[replica]!.loseNone();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(replicas.map((stores) => stores.close()));
      await Promise.all(relays.map((relay) => relay[Symbol.asyncDispose]()));
      await postgres[Symbol.asyncDispose]();
    },
  };
}
