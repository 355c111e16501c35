import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { formerNames } from '../../../src/config/former-names.ts';
import { migrateSqlite } from '../../../src/database/sqlite/migrate.ts';
import { move } from '../../../src/service/move.ts';
import { restore } from '../../../src/service/restore.ts';
import { version } from '../../../src/version.ts';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { batchClient } from '../../helpers/batch-client.ts';
import { Browser } from '../../helpers/browser.ts';
import { TestClock } from '../../helpers/clock.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { openPostgres, runSql } from '../../helpers/postgres.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { type Facts, hashesOfSteps, namesOfSettings } from './facts.ts';

// Every release must open the data of each release before it. A failure here means that the change under test would break
// installations: never change a folder of test/data/releases to make it pass.

const releases = fileURLToPath(new URL('../../data/releases/', import.meta.url));
/** As the services of the fixtures had them. */
const settings = { WEBHOOK_PRIVATE_ADDRESSES: 'allow' };

for (const release of readdirSync(releases)) {
  const folder = join(releases, release);
  const read = (name: string) => readFileSync(join(folder, name));
  const facts: Facts = JSON.parse(read('facts.json').toString());

  /** Returns a data directory of the release. */
  const unpacked = () => {
    const directory = temporaryDirectory();
    execFileSync('tar', ['-xzf', join(folder, 'data.tar.gz'), '-C', directory.path]);
    return directory;
  };
  const open = (environment: Record<string, string>) =>
    listeningApp({
      clock: new TestClock(facts.at),
      environment: { ...settings, ...environment },
      isFirstStart: false,
    });

  async function assertKeys({ address }: ListeningApp) {
    const [text = ''] = Object.keys(facts.vectors);
    for (const { name, secret, status } of facts.keys)
      assert.equal((await requestEmbeddings(address, secret, text)).status, status, `the key "${name}"`);
    const headers = {
      authorization: `Bearer ${facts.keys.find(({ name }) => name === 'installation')!.secret}`,
    };
    assert.equal((await fetch(`${address}/v1/service`, { headers })).status, 200);
  }

  /** Cached texts have the same vectors, and don't count. */
  async function assertVectors({ address }: ListeningApp) {
    const headers = { authorization: `Bearer ${facts.key}` };
    const used = async () =>
      ((await (await fetch(`${address}/v1/usage`, { headers })).json()) as { used: number }).used;
    const before = await used();
    for (const [text, numbers] of Object.entries(facts.vectors)) {
      const response = await requestEmbeddings(address, facts.key, text);
      const { data } = (await response.json()) as { data: { embedding: number[] }[] };
      assert.deepEqual(data[0]!.embedding.slice(0, numbers.length), numbers, text);
    }
    assert.equal(await used(), before);
  }

  describe(`data of ${release}`, () => {
    test('are as that release has made them, and so are its steps', async () => {
      for (const line of read('SHA256SUMS').toString().trim().split('\n')) {
        const [sum, name = ''] = line.split('  ');
        assert.equal(createHash('sha256').update(read(name)).digest('hex'), sum, name);
      }
      const present = await hashesOfSteps();
      for (const [name, hash] of Object.entries(facts.steps))
        assert.equal(present[name], hash, `the step ${name} was released and has changed: add another one`);
    });

    test('are of settings that still have their names, or former ones that still work', () => {
      const known = new Set([...namesOfSettings(), ...Object.keys(formerNames)]);
      assert.deepEqual(
        facts.settings.filter((name) => !known.has(name)),
        [],
      );
    });

    test('lose no row in the steps of the schema', async () => {
      using data = unpacked();
      await migrateSqlite(data.path);
      using database = new DatabaseSync(join(data.path, 'embedgate.db'));
      for (const [table, count] of Object.entries(facts.counts)) {
        const row = database.prepare(`SELECT count(*) AS count FROM ${table} /* a test's own */`).get();
        assert.equal(row?.count, count, table);
      }
    });

    test('serve their keys, vectors, people, routes, messages and batches', async () => {
      using data = unpacked();
      await using app = await open({ DATA_DIR: data.path });
      await assertKeys(app);
      await assertVectors(app);
      const [major] = version.split('.');
      if (release.startsWith(`${major}.`))
        assert.equal(app.services.models.default.served.model.fingerprint, facts.fingerprint);
      const page = await new Browser(app.address).signIn(facts.member);
      const org = `/v1/organizations/${facts.orgId}`;
      const { paths } = (await (await fetch(`${app.address}/openapi.json`)).json()) as {
        paths: Record<string, Record<string, unknown>>;
      };
      const listed = Object.entries(paths)
        .filter(([path, { get }]) => get && /^\/v1\/organizations\/\{org_id\}[^{]*$/.test(path))
        .map(([path]) => path.replace('/v1/organizations/{org_id}', org));
      assert.ok(listed.length >= 15);
      for (const path of listed) {
        const { status } = await page.send(
          'GET',
          path.endsWith('/usage/export') ? `${path}?from=2026-12-01` : path,
        );
        assert.ok(status === 200 || status === 400, `${path} returns ${status}`);
        if (status === 400) assert.match(path, /usage|requests|histogram/);
      }
      const { data: deliveries } = await page.ask<{ data: { status: string }[] }>(
        200,
        'GET',
        `${org}/alerts/deliveries`,
      );
      assert.ok(deliveries.length >= 1);
      const client = batchClient({ address: app.address, key: facts.key });
      for (const [id, lines] of [
        [facts.batches.done, 20],
        [facts.batches.begun, facts.batches.lines],
      ] as const) {
        const batch = await client.ended(id);
        assert.deepEqual([batch.status, batch.request_counts.completed], ['completed', lines]);
        const ids = (await client.content(batch.output_file_id)).map(({ custom_id }) => custom_id);
        assert.deepEqual([ids.length, new Set(ids).size], [lines, lines]);
      }
    });

    test('are restored from a backup', async () => {
      using directory = temporaryDirectory();
      const environment = { DATA_DIR: directory.path };
      await restore(environment, join(folder, 'backup.tar.gz'), () => {});
      await using app = await open(environment);
      await assertKeys(app);
    });
  });

  describe(`data of ${release} on Postgres`, async () => {
    const postgres = untilEnd(await openPostgres());
    const secretsOf = (path: string) => ({
      SIGNING_KEY: join(path, 'signing-key.pem'),
      AUTH_SECRET: readFileSync(join(path, 'auth-secret'), 'utf8').trim(),
    });

    test('are moved there', async () => {
      using data = unpacked();
      const url = await postgres.createDatabase();
      await move(
        { ...settings, DATA_DIR: data.path },
        { path: join(data.path, 'embedgate.db'), url },
        () => {},
      );
      await using app = await open({ DATABASE_URL: url, ...secretsOf(data.path) });
      await assertKeys(app);
      await assertVectors(app);
    });

    test('are opened where they were', async () => {
      using data = unpacked();
      const url = await postgres.createDatabase();
      const { statements, rows } = JSON.parse(gunzipSync(read('postgres.json.gz')).toString()) as {
        statements: string[];
        rows: Record<string, object[]>;
      };
      await runSql(
        url,
        'CREATE TABLE schema_steps (name VARCHAR(255) PRIMARY KEY, timestamp VARCHAR(255) NOT NULL)',
      );
      for (const statement of statements) await runSql(url, statement);
      await runSql(url, 'DELETE FROM installation');
      for (const [table, entries] of Object.entries(rows))
        await runSql(url, `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
          JSON.stringify(entries),
        ]);
      await using app = await open({ DATABASE_URL: url, ...secretsOf(data.path) });
      await assertKeys(app);
      await assertVectors(app);
      const page = await new Browser(app.address).signIn(facts.member);
      await page.ask(200, 'GET', `/v1/organizations/${facts.orgId}/limits`);
    });
  });
}
