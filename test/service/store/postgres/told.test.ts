import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import pino from 'pino';
import { openPostgresStores } from '../../../../src/store/postgres/open.ts';
import type { Stores } from '../../../../src/store/stores.ts';
import { askOf } from '../../../helpers/asks.ts';
import { openPostgres, runSql, type TestPostgres } from '../../../helpers/postgres.ts';

describe('the report of a Postgres error', () => {
  let postgres: TestPostgres;
  let url: string;
  let stores: Stores;
  before(async () => {
    postgres = await openPostgres();
    url = await postgres.createDatabase();
    stores = await openPostgresStores(url);
  });
  after(async () => {
    await stores.close();
    await postgres[Symbol.asyncDispose]();
  });

  /** As the log prints it, and as the command line does when debugging. */
  const toldOf = async (call: () => Promise<unknown>): Promise<string> => {
    const [outcome] = await Promise.allSettled([call()]);
    assert.equal(outcome.status, 'rejected');
    const lines: string[] = [];
    pino({}, { write: (line: string) => lines.push(line) }).warn({ err: outcome.reason }, 'unavailable');
    return `${lines.join('')}\n${inspect(outcome.reason, { depth: 10 })}`;
  };
  const ask = { orgId: 'org_a', runs: [{ ask: askOf('key_a'), count: 1 }], returns: [] };
  const secrets =
    /quota_windows|usage_records|organizations_pkey|api_keys|SELECT|INSERT|PL\/pgSQL|org_a|key_a|digest/;

  test('describes a refused statement by its SQLSTATE, without SQL, tables, rows or values', async () => {
    const limits = { tier: 'free', custom: null } as const;
    const organization = { orgId: 'org_a', name: 'a', ...limits, createdAt: 1, revision: 1 };
    await stores.organizations.insert(organization);
    const twice = await toldOf(() => stores.organizations.insert(organization));
    assert.match(twice, /SQLSTATE 23505.*"code":"23505"/);
    assert.doesNotMatch(twice, secrets);

    await runSql(url, 'ALTER TABLE usage_records ADD CONSTRAINT none CHECK (counted < 0)');
    const inFunction = await toldOf(() => stores.ledger.flush([ask]));
    assert.match(inFunction, /SQLSTATE 23514/);
    assert.doesNotMatch(inFunction, secrets);
  });

  test('repeats what the server says about itself', async () => {
    assert.match(await toldOf(() => openPostgresStores(`${url}_none`)), /database \\?"\w+" does not exist/);
  });

  test('never contains the password of the address', async () => {
    const wrong = new URL(url);
    wrong.password = 'hunter2';
    wrong.port = '1';
    assert.doesNotMatch(await toldOf(() => openPostgresStores(wrong.href)), /hunter2/);
    wrong.port = new URL(url).port;
    wrong.username = 'nobody';
    assert.doesNotMatch(await toldOf(() => openPostgresStores(wrong.href)), /hunter2/);
  });
});
