import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '../../../src/lib/clock.ts';
import { Ledger } from '../../../src/quota/ledger.ts';
import { openPostgresStores } from '../../../src/service/postgres/open.ts';
import { openSqliteStores } from '../../../src/service/sqlite/open.ts';
import type { Stores } from '../../../src/service/stores.ts';
import { askOf } from '../../helpers/asks.ts';
import { TestClock } from '../../helpers/clock.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { openPostgres, runSql } from '../../helpers/postgres.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { patient } from './postgres/replicas.ts';

const program = fileURLToPath(new URL('./loaded-modules.ts', import.meta.url));

const postgres = untilEnd(await openPostgres());

describe('the configured database', () => {
  const directory = untilEnd(temporaryDirectory());

  const modulesWith = async (environment: Record<string, string>) => {
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: directory.path, ...environment };
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', program], { env });
    const urls = JSON.parse(stdout) as string[];
    return {
      pg: urls.some((url) => url.includes('/node_modules/pg/')),
      sqlite: urls.some((url) => url === 'node:sqlite' || /\/(database|service)\/sqlite\//.test(url)),
    };
  };

  test('is the only one whose driver is loaded', async () => {
    assert.deepEqual(await modulesWith({}), { pg: false, sqlite: true });
    const replica = {
      DATABASE_URL: await postgres.createDatabase(),
      // The files that the first start creates.
      SIGNING_KEY: `${directory.path}/signing-key.pem`,
      AUTH_SECRET: 'a'.repeat(32),
    };
    assert.deepEqual(await modulesWith(replica), { pg: true, sqlite: false });
  });
});

const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
const [forPostgres, forSqlite] = [...page.matchAll(/```sql\n(UPDATE quota_windows[^`]+)```/g)].map(
  ([, statements]) => statements!,
);

const aheadMs = 70 * 86_400_000;
const orgId = '01a209bd-5cc3-7722-b0cb-ebce532598eb';

/** Uses up the month, and then all of a day and of a limit. */
async function useUp(stores: Stores, clock: typeof systemClock): Promise<void> {
  const ledger = new Ledger(stores.ledger, clock);
  for (let i = 0; i < 2; i += 1) await ledger.reserve(orgId, askOf('key'));
  await assert.rejects(ledger.reserve(orgId, askOf('key')), { code: 'rate_limit_exceeded' });
  await ledger.close();
}

async function used(stores: Stores): Promise<number> {
  const ledger = new Ledger(stores.ledger, systemClock);
  await ledger.reserve(orgId, askOf('key'));
  const { used } = await ledger.readStanding(orgId);
  await ledger.close();
  return used;
}

const create = (stores: Stores, createdAt: number) =>
  stores.organizations.insert({
    orgId,
    name: 'Acme',
    tier: 'enterprise',
    custom: { amount: 2, window: 'month' as const },
    externalId: null,
    suspended: null,
    createdAt,
    revision: 0,
  });

describe('windows that a clock left in the future', () => {
  test('are moved back on SQLite by the statements of the documentation', async () => {
    using directory = temporaryDirectory();
    const ahead = new TestClock(new Date(Date.now() + aheadMs).toISOString());
    const before = await openSqliteStores(directory.path, ahead);
    await create(before, 0);
    await useUp(before, ahead);
    await before.close();
    const now = await openSqliteStores(directory.path, systemClock);
    await assert.rejects(used(now), { code: 'rate_limit_exceeded' });
    const database = new DatabaseSync(join(directory.path, 'embedgate.db'));
    database.exec(forSqlite!);
    database.close();
    assert.equal(await used(now), 1);
    await now.close();
  });

  test('are moved back on Postgres by the statements of the documentation', async () => {
    const url = await postgres.createDatabase();
    const ahead = new TestClock(new Date(Date.now() + aheadMs).toISOString());
    const before = await openPostgresStores(url, { ...patient, windowClock: ahead });
    await create(before, 0);
    await useUp(before, ahead);
    await before.close();
    const now = await openPostgresStores(url, patient);
    await assert.rejects(used(now), { code: 'rate_limit_exceeded' });
    await runSql(url, forPostgres!);
    assert.equal(await used(now), 1);
    await now.close();
  });
});
