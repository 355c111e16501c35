import assert from 'node:assert/strict';
import { chownSync, existsSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { migratePostgres } from '../../../src/database/postgres/migrate.ts';
import { missingTool, startPooler } from '../../deploy/proxies.ts';
import { listeningApp } from '../../helpers/app.ts';
import { batchClient } from '../../helpers/batch-client.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { runCommand } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Answer, FastClient } from '../../helpers/fast-client.ts';
import { freePorts } from '../../helpers/free-port.ts';
import { holdLocks, ownedDatabase, runSql, startPostgres } from '../../helpers/postgres.ts';
import { newOrganization, ownPostgres, startReplicas } from '../../helpers/replicas.ts';
import { metricOf, requestEmbeddings, statusWith } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';
import { openRelay } from '../../helpers/tcp-relay.ts';
import { untilEnd } from '../../helpers/until-end.ts';

/** Breaks the database and returns a function that repairs it. */
type Fault = () => Promise<() => Promise<unknown>>;

describe('a replica whose database is away', async () => {
  const client = untilEnd(new FastClient());
  const postgres = untilEnd(await startPostgres({ durable: true }));
  const owned = await ownedDatabase(postgres);
  const admin = owned.adminUrl;
  const replicas = untilEnd(await startReplicas(owned.url, 1));
  const address = replicas.services[0]!.address;
  const keys = (await newOrganization(replicas.core, { amount: 1_000_000, window: 'month' }, 2)).keys;

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

test('a sign-in gets 503 while Postgres does not respond to the sign-in library', async () => {
  await using postgres = await startPostgres();
  const url = await postgres.createDatabase();
  await using app = await listeningApp({ environment: ownPostgres(url) });
  await using _locks = await holdLocks(url, 'LOCK TABLE sessions');
  const { email, password } = app.administrator;
  const response = await fetch(`${app.address}/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { error } = (await response.json()) as { error: string };
  assert.deepEqual([response.status, error], [503, 'unavailable']);
});

test('/ready fails while Postgres responds but commits nothing, and passes again afterwards', async () => {
  await using postgres = await startPostgres();
  const url = await postgres.createDatabase();
  await using app = await listeningApp({ environment: ownPostgres(url) });
  let count = 0;
  const embed = async (): Promise<number> => {
    const response = await requestEmbeddings(app.address, app.key, `text ${count++}`);
    await response.arrayBuffer();
    return response.status;
  };
  const notReady = async (): Promise<string[]> => {
    const response = await fetch(`${app.address}/ready`);
    const { not_ready: parts } = (await response.json()) as { not_ready: string[] };
    assert.equal(response.status, parts.length === 0 ? 200 : 503);
    return parts;
  };
  const waitForStandby = async (name: string): Promise<void> => {
    await runSql(url, `ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await runSql(url, 'SELECT pg_reload_conf()');
  };

  assert.equal(await embed(), 200);
  assert.deepEqual(await notReady(), []);
  assert.equal(await metricOf(app, 'embedgate_quota_flush_failures_total'), 0);

  await waitForStandby('absent');
  let waiting = embed();
  await eventually(async () => {
    if ((await metricOf(app, 'embedgate_quota_flush_age_seconds')) > 0) return true;
    // The setting takes a moment to reach the session that commits.
    if ((await Promise.race([waiting, null])) === 200) waiting = embed();
    return false;
  });
  assert.equal(await waiting, 503);
  await eventually(async () => {
    assert.equal(await embed(), 503);
    return (await notReady()).includes('quota');
  });
  assert.ok((await metricOf(app, 'embedgate_quota_flush_failures_total')) > 0);
  assert.equal(await metricOf(app, 'embedgate_quota_locked_organizations'), 1);

  await waitForStandby('');
  await eventually(async () => (await embed()) === 200);
  assert.deepEqual(await notReady(), []);
});

/** Writing to it fails as on a full disk: ENOSPC. */
const full = '/dev/full';

test('while the disk of Postgres is full, requests are refused and not counted, and they succeed afterwards', {
  skip: !existsSync(full),
}, async (t) => {
  await using postgres = await startPostgres({ durable: true });
  const url = await postgres.createDatabase();
  await migratePostgres(url);
  const [place] = await runSql(
    url,
    `SELECT current_setting('data_directory') AS directory, pg_relation_filepath('usage_records') AS usage,
      pg_relation_filepath('files') AS files`,
  );
  const relations = [place?.usage, place?.files].map((name) => {
    const file = join(place?.directory, name);
    const { uid, gid, size } = statSync(file);
    assert.equal(size, 0);
    return { file, uid, gid };
  });
  for (const { file } of relations) {
    // Before any session has it open.
    rmSync(file);
    symlinkSync(full, file);
  }

  await using replicas = await startReplicas(url, 1);
  using client = new FastClient();
  const { orgId, keys } = await newOrganization(replicas.core, { amount: 100, window: 'month' }, 1);
  const { address, stderr } = replicas.services[0]!;
  const embed = (text: string) => client.embed(address, keys[0]!, text);
  for (const text of ['a', 'b', 'c']) {
    const { status, body, headers } = await embed(text);
    assert.deepEqual([status, JSON.parse(body).error, headers['retry-after']], [503, 'unavailable', '1']);
  }
  assert.match(stderr(), /No space left on device.*"code":"53100"/);
  const { upload } = batchClient({ address, key: keys[0]! });
  const { status, json } = await upload('{}');
  assert.deepEqual([status, json.error], [503, 'unavailable']);
  assert.equal((await client.get(`${address}/health`)).status, 200);
  assert.equal((await replicas.core.ledger.readStanding(orgId)).used, 0);

  for (const { file, uid, gid } of relations) {
    rmSync(file);
    writeFileSync(file, '', { mode: 0o600 });
    chownSync(file, uid, gid);
  }
  // On a real disk, the open file would have space again. Here it belongs to the device until it is closed.
  await runSql(
    url,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  const backMs = await eventually(async () => (await embed('d')).status === 200);
  t.diagnostic(`answering ${backMs.toFixed(0)} ms after there was room`);
  assert.equal((await upload('{}')).status, 200);
  const { used } = await replicas.core.ledger.readStanding(orgId);
  const { body } = await client.get(`${address}/v1/usage`, keys[0]!);
  assert.deepEqual([used, JSON.parse(body).totals.counted], [1, 1]);
});

describe('a database that is far away', async () => {
  const postgres = untilEnd(await startPostgres({ durable: true }));
  const relay = untilEnd(await openRelay((await ownedDatabase(postgres)).url));
  const replicas = untilEnd(await startReplicas(relay.url, 0));
  after(async () => {
    relay.delay(0);
  });

  test('works over a round trip of 100 milliseconds', async () => {
    const { keys } = await newOrganization(replicas.core, { amount: 10, window: 'month' }, 1);
    relay.delay(50);
    await using service = await startService({ environment: replicas.environment });
    for (const text of ['a', 'b', 'a']) {
      const response = await requestEmbeddings(service.address, keys[0]!, text);
      assert.equal(response.status, 200, await response.text());
    }
    assert.equal(await statusWith(service.address, keys[0]!), 200);
    assert.equal((await fetch(`${service.address}/ready`)).status, 200);
  });

  test('stops the start with one line about it over a round trip of 500 milliseconds', async () => {
    relay.delay(250);
    const { code, stderr } = await runCommand(['serve'], replicas.environment);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^embedgate: .*no connection within 1 second, 3 times\. .*150 milliseconds or more\n$/m,
    );
  });
});

describe('replicas behind PgBouncer', { skip: missingTool('pgbouncer') }, () => {
  test('respond again when Postgres is back, long before the pooler would try again by default, with an exact count', async () => {
    await using postgres = await startPostgres({ durable: true });
    const { url, adminUrl } = await ownedDatabase(postgres);
    await runSql(adminUrl, "ALTER ROLE app SET statement_timeout = '1700ms'");
    await runSql(adminUrl, "ALTER ROLE app SET idle_in_transaction_session_timeout = '2s'");
    using directory = temporaryDirectory();
    const [port = 0] = await freePorts(1);
    await using pooler = await startPooler(directory.path, port, url);
    await using replicas = await startReplicas(pooler.url, 2);
    const { keys } = await newOrganization(replicas.core, { amount: 1_000_000, window: 'month' }, 1);
    using client = new FastClient();
    let sent = 0;
    let answered = 0;
    const embedEverywhere = async (): Promise<number[]> => {
      const texts = replicas.services.map(({ address }) => client.embed(address, keys[0]!, `text ${sent++}`));
      const statuses = (await Promise.all(texts)).map(({ status }) => status);
      answered += statuses.filter((status) => status === 200).length;
      return statuses;
    };
    const all = async (status: number) => (await embedEverywhere()).every((one) => one === status);
    assert.ok(await all(200));
    for (const mode of ['fast', 'immediate'] as const) {
      await postgres.stop(mode);
      await eventually(() => all(503));
      await postgres.start();
      // PgBouncer's own default is 15 seconds after its last try, which was made within the last two.
      await eventually(() => all(200), { withinMs: 10_000 });
    }
    const { body } = await client.get(`${replicas.services[0]!.address}/v1/usage`, keys[0]!);
    const { used } = JSON.parse(body);
    assert.ok(answered <= used && used <= sent, `${answered} answered, ${used} used, ${sent} sent`);
  });
});
