import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { temporaryDirectory } from '../helpers/directory.ts';
import { type Environment, embedgate, embedgateJson } from '../helpers/embedgate.ts';
import { eventually } from '../helpers/eventually.ts';
import { FastClient } from '../helpers/fast-client.ts';
import { type OwnPostgres, startPostgres } from '../helpers/postgres.ts';
import { newPem } from '../helpers/replicas.ts';
import { statusWith } from '../helpers/requests.ts';
import { type RunningService, startService } from '../helpers/service.ts';
import { type FaultLoad, type Met, startFaultLoad } from './rig/fault-load.ts';
import { missingOlderProgram, writeOlderProgram } from './rig/older-program.ts';

// An upgrade in which the program before the last migrations and today's serve at the same time, as docs/operations.md describes.

const loadForMs = 4_000;
const limit = 200;
const refusal =
  /The database has schema version \d+, this program knows versions up to 7: run the newer program/;

type CreatedKey = { key: string; key_id: string };

describe('an older program beside today’s', { skip: missingOlderProgram() }, () => {
  const directory = temporaryDirectory();
  const running = new AsyncDisposableStack();
  let environment: Environment;
  let program: string;
  let postgres: OwnPostgres;
  let older: RunningService;
  let newer: RunningService;
  let unlimited: CreatedKey;
  let orgId: string;
  before(async () => {
    const releases = running.adopt(temporaryDirectory(), (it) => it[Symbol.dispose]());
    program = writeOlderProgram(releases.path);
    postgres = running.use(await startPostgres({ durable: true }));
    const keyFile = join(directory.path, 'signing-key.pem');
    writeFileSync(keyFile, newPem(), { mode: 0o600 });
    environment = {
      DATABASE_URL: await postgres.createDatabase(),
      SIGNING_KEY: keyFile,
      AUTH_SECRET: randomBytes(32).toString('hex'),
    };
    older = running.use(await startService({ environment, program }));
    orgId = await organizationOf(100_000_000, program);
    unlimited = await keyOf(orgId, program);
  });
  after(async () => {
    await running.disposeAsync();
    directory[Symbol.dispose]();
  });

  /** Made by today's command, or by another. */
  const organizationOf = async (requests: number, by?: string): Promise<string> => {
    const tier = ['--tier', 'enterprise', '--limit', String(requests)];
    const args = ['orgs', 'create', '--name', 'shared', ...tier];
    return (await embedgateJson<{ org_id: string }>(args, environment, by)).org_id;
  };
  const keyOf = (org: string, by?: string): Promise<CreatedKey> =>
    embedgateJson(['keys', 'create', '--org-id', org, '--user-id', 'u', '--name', 'k'], environment, by);
  const loadOn = (service: RunningService): FaultLoad =>
    startFaultLoad([{ key: unlimited.key, address: () => service.address }], { withCached: false });

  test('serves while today’s migrates and starts, and both serve afterwards: no request fails', async (t) => {
    const loads = [loadOn(older)];
    await setTimeout(1_000);
    newer = running.use(await startService({ environment }));
    loads.push(loadOn(newer));
    await setTimeout(loadForMs);
    await Promise.all(loads.map((load) => load.stop()));
    const met = loads.flatMap((load) => load.met);
    t.diagnostic(met.map(told).join('; '));
    const computed = met.reduce((sum, one) => sum + one.computed, 0);
    assert.deepEqual(
      loads.flatMap(({ unexpected }) => unexpected),
      [],
    );
    assert.equal(
      met.reduce((sum, one) => sum + one.failed, 0),
      0,
    );
    for (const { address } of [older, newer]) {
      assert.deepEqual(await usedOn(address, unlimited.key), [computed, computed]);
    }
  });

  test('refuses a key that is revoked on the other one, and so does the other', async () => {
    for (const [by, on] of [
      [older, newer],
      [newer, older],
    ] as const) {
      const { key, key_id: keyId } = await keyOf(orgId);
      assert.deepEqual([await statusWith(by.address, key), await statusWith(on.address, key)], [200, 200]);
      const revoked = await fetch(`${by.address}/v1/organizations/${orgId}/keys/${keyId}/revoke`, {
        ...{ method: 'POST', headers: { authorization: `Bearer ${key}` } },
      });
      assert.equal(revoked.status, 200);
      await eventually(async () => (await statusWith(on.address, key)) === 401);
      assert.equal(await statusWith(by.address, key), 401);
    }
  });

  test(`grants exactly ${limit} of ${3 * limit} requests together with the other`, async () => {
    const { key } = await keyOf(await organizationOf(limit));
    using client = new FastClient();
    const answers = await Promise.all(
      Array.from({ length: 3 * limit }, (_, i) =>
        client.embed([older, newer][i % 2]!.address, key, `text ${i}`),
      ),
    );
    const statuses = Object.groupBy(answers, ({ status }) => status);
    assert.deepEqual(
      Object.entries(statuses).map(([status, of]) => [status, of?.length]),
      [
        ['200', limit],
        ['429', 2 * limit],
      ],
    );
    for (const { address } of [older, newer]) assert.deepEqual(await usedOn(address, key), [limit, limit]);
  });

  test('does not start again, and its commands end with one line, while it would have gone on', async (t) => {
    const load = loadOn(older);
    const command = await embedgate(['orgs', 'list'], environment, program);
    assert.equal(command.code, 1);
    assert.match(command.stderr, refusal);
    await assert.rejects(startService({ environment, program }), refusal);
    await load.stop();
    assert.deepEqual(load.unexpected, []);
    assert.ok(load.met.every(({ computed, failed }) => computed > 0 && failed === 0));

    const { stderr } = await stopped(older);
    t.diagnostic(`stopped: ${stderr || 'nothing on stderr'}`);
    await assert.rejects(startService({ environment, program }), refusal);
    const alone = loadOn(newer);
    await setTimeout(1_000);
    await alone.stop();
    assert.ok(alone.met.every(({ computed, failed }) => computed > 0 && failed === 0));
  });
});

async function stopped(service: RunningService): Promise<{ stderr: string }> {
  const { code } = await service.stop();
  assert.equal(code, 0);
  return { stderr: service.stderr() };
}

function told({ computed, failed, longestMs }: Met): string {
  return `${computed} answered, ${failed} failed, longest wait ${(longestMs / 1_000).toFixed(2)} s`;
}

/** What is used, and the sum of the month's days. */
async function usedOn(address: string, key: string): Promise<[number, number]> {
  using client = new FastClient();
  const { body } = await client.get(`${address}/v1/usage`, key);
  const { used, totals } = JSON.parse(body) as { used: number; totals: { counted: number } };
  return [used, totals.counted];
}
