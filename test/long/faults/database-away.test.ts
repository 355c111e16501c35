import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { eventually } from '../../helpers/eventually.ts';
import { type Answer, FastClient } from '../../helpers/fast-client.ts';
import { holdLocks, type OwnPostgres, ownedDatabase, startPostgres } from '../../helpers/postgres.ts';
import { newOrganization, type Replicas, startReplicas } from '../../helpers/replicas.ts';

/** Breaks the database and returns a function that repairs it. */
type Fault = () => Promise<() => Promise<unknown>>;

describe('a replica whose database is away', () => {
  const client = new FastClient();
  let postgres: OwnPostgres;
  let admin: string;
  let replicas: Replicas;
  let address: string;
  let keys: string[];
  before(async () => {
    postgres = await startPostgres({ durable: true });
    const owned = await ownedDatabase(postgres);
    admin = owned.adminUrl;
    replicas = await startReplicas(owned.url, 1);
    address = replicas.services[0]!.address;
    keys = (await newOrganization(replicas.gate, { requests: 1_000_000, window: 'month' }, 2)).keys;
  });
  after(async () => {
    client[Symbol.dispose]();
    await replicas[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  let texts = 0;
  let answered = 0;
  /** A text that nobody has sent before, so that it has to be counted. */
  const embedNew = async (): Promise<Answer> => {
    const answer = await client.embed(address, keys[texts % 2]!, `text ${texts++}`);
    if (answer.status === 200) answered += 1;
    return answer;
  };
  const readiness = async () => JSON.parse((await client.get(`${address}/ready`)).body);

  const survives = async (t: TestContext, fault: Fault) => {
    assert.equal((await embedNew()).status, 200);
    const mend = await fault();
    const startMs = performance.now();
    const [ready, ...answers] = await Promise.all([
      eventually(async () => (await readiness()).status === 'not_ready'),
      ...Array.from({ length: 16 }, async () => {
        const answer = await embedNew();
        return { ...answer, tookMs: performance.now() - startMs };
      }),
    ]);
    for (const { status, body, headers } of answers) {
      assert.deepEqual([status, JSON.parse(body).error], [503, 'unavailable'], body);
      assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
    }
    assert.deepEqual(await readiness(), { status: 'not_ready', not_ready: ['database'] });
    assert.equal((await client.get(`${address}/health`)).status, 200);
    const slowestMs = Math.max(...answers.map(({ tookMs }) => tookMs));
    await mend();
    const backMs = await eventually(async () => (await embedNew()).status === 200);
    await eventually(async () => (await readiness()).status === 'ready');
    t.diagnostic(
      `refused within ${slowestMs.toFixed(0)} ms, not ready after ${ready.toFixed(0)} ms, ` +
        `answering ${backMs.toFixed(0)} ms after it was back`,
    );
    const { body } = await client.get(`${address}/v1/usage`, keys[0]!);
    const { used, totals } = JSON.parse(body);
    assert.equal(used, totals.counted);
    assert.ok(answered <= used && used <= texts, `${answered} answered, ${used} used, ${texts} sent`);
  };

  test('refuses with 503 and recovers after every connection of the pool waited for a table', (t) =>
    survives(t, async () => {
      const held = await holdLocks(admin, 'LOCK TABLE quota_windows, schema_steps');
      return async () => held[Symbol.asyncDispose]();
    }));

  test('refuses with 503 and recovers after the database crashed and started again', (t) =>
    survives(t, async () => {
      await postgres.stop('immediate');
      return () => postgres.start();
    }));

  test('has kept its process all along, and logged no secret of the address', () => {
    const [service] = replicas.services;
    const told = service!.stderr();
    assert.match(told, /"msg":"unavailable"/);
    for (const secret of ['app-password', 'quota_windows', 'usage_records', ' FROM ', 'PL/pgSQL']) {
      assert.ok(!told.includes(secret), secret);
    }
  });
});
