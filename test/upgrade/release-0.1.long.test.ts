import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import known from '../data/release-0.1/known.json' with { type: 'json' };
import { Browser } from '../helpers/browser.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import { embedgate, embedgateJson } from '../helpers/embedgate.ts';
import { openPostgres, runSql } from '../helpers/postgres.ts';
import { requestEmbeddings, statusWith } from '../helpers/requests.ts';
import { type RunningService, startService } from '../helpers/service.ts';

// Installations of version 0.1, whose identifiers are `org_…` and `key_…`, served by this version.

const read = (name: string): string =>
  readFileSync(new URL(`../data/release-0.1/${name}`, import.meta.url), 'utf8');
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function upgradeSqlite(opened: AsyncDisposableStack): Promise<RunningService> {
  const { path: dataDir } = opened.use(temporaryDirectory());
  const database = new DatabaseSync(join(dataDir, 'embedgate.db'));
  database.exec(read('sqlite.sql'));
  database.close();
  for (const name of ['signing-key.pem', 'auth-secret']) {
    writeFileSync(join(dataDir, name), read(name), { mode: 0o600 });
  }
  return opened.use(await startService({ dataDir }));
}

async function upgradePostgres(opened: AsyncDisposableStack): Promise<RunningService> {
  const postgres = opened.use(await openPostgres());
  const url = await postgres.createDatabase();
  await runSql(url, read('postgres.sql'));
  const secrets = { SIGNING_KEY: read('signing-key.pem'), AUTH_SECRET: read('auth-secret') };
  return opened.use(await startService({ environment: { DATABASE_URL: url, ...secrets } }));
}

for (const [store, upgrade] of Object.entries({ sqlite: upgradeSqlite, postgres: upgradePostgres })) {
  describe(`an installation of version 0.1 on ${store}`, () => {
    const opened = new AsyncDisposableStack();
    const {
      org_id: orgId,
      other_org_id: otherOrgId,
      key_id: keyId,
      key,
      ...others
    } = known[store as keyof typeof known];
    let service: RunningService;
    let page: Browser;
    before(async () => {
      service = await upgrade(opened);
      page = await new Browser(service.address).signIn(others);
    });
    after(() => opened.disposeAsync());

    const json = <R>(...args: string[]): Promise<R> => embedgateJson<R>(args, service.environment);
    const get = async (path: string, bearer = key): Promise<[number, unknown]> => {
      const response = await fetch(service.address + path, {
        headers: { authorization: `Bearer ${bearer}` },
      });
      return [response.status, await response.json()];
    };

    it('keeps its identifiers and its usage', async () => {
      type Usage = { org_id: string; totals: object; keys: { key_id: string; counted: number }[] };
      const usage = await json<Usage>('usage', '--org-id', orgId, '--month', '2026-11');
      assert.equal(usage.org_id, orgId);
      assert.deepEqual(usage.totals, { counted: 3, cached: 1, failed: 0, texts: 4, tokens: 4 });
      assert.ok(usage.keys.some((used) => used.key_id === keyId && used.counted === 2));
      const [status, organization] = await get(`/v1/organizations/${orgId}`);
      assert.deepEqual([status, (organization as { org_id: string }).org_id], [200, orgId]);
    });

    it('accepts its keys and counts their requests', async () => {
      const remaining: number[] = [];
      for (const text of ['a text of today', 'another text of today']) {
        const response = await requestEmbeddings(service.address, key, text);
        assert.equal(response.status, 200);
        remaining.push(Number(response.headers.get('x-ratelimit-remaining')));
      }
      assert.equal(remaining[0]! - remaining[1]!, 1);
      assert.equal(await statusWith(service.address, others.revoked_key), 401);
    });

    it('shows people what it has, on every kind of route', async () => {
      const path = `/v1/organizations/${orgId}`;
      const { data: keys } = await page.ask<{ data: { key_id: string }[] }>(200, 'GET', `${path}/keys`);
      assert.ok(keys.some(({ key_id }) => key_id === keyId));
      await page.ask(200, 'GET', `${path}/usage?key_id=${keyId}`);
      const settings = await page.ask(200, 'GET', `${path}/alerts/settings`);
      assert.deepEqual(settings, { thresholds: [75, 100], projection: false });
      const { data: targets } = await page.ask<{ data: { target_id: string }[] }>(
        200,
        'GET',
        `${path}/alerts/targets`,
      );
      assert.match(targets[0]!.target_id, /^target_[0-9a-f]{24}$/);
      await page.ask(204, 'DELETE', `${path}/alerts/targets/${targets[0]!.target_id}`);
      const { user_id: userId } = await page.ask<{ user_id: string }>(200, 'GET', '/v1/me');
      await page.ask(201, 'POST', `/v1/users/${userId}/password-reset`);
    });

    it('gives new organizations and keys a UUIDv7 beside the old ones', async () => {
      const created = await json<{ org_id: string }>('orgs', 'create', '--name', 'New');
      assert.match(created.org_id, uuidV7);
      const made = await json<{ key_id: string; org_id: string; key: string }>(
        ...['keys', 'create', '--user-id', 'ada', '--org-id', otherOrgId, '--name', 'new'],
      );
      assert.match(made.key_id, uuidV7);
      assert.equal(made.org_id, otherOrgId);
      assert.equal(await statusWith(service.address, made.key), 200);
    });

    it('changes its tier, rotates its keys and revokes them', async () => {
      await json('orgs', 'set-tier', '--org-id', orgId, '--tier', 'scale');
      assert.equal(await statusWith(service.address, key), 200);
      const rotated = await json<{ key_id: string; key: string }>(
        'keys',
        'rotate',
        '--key-id',
        keyId,
        '--grace',
        '1h',
      );
      assert.match(rotated.key_id, uuidV7);
      assert.equal(await statusWith(service.address, rotated.key), 200);
      await page.ask(200, 'POST', `/v1/organizations/${orgId}/keys/${keyId}/revoke`);
      assert.equal(await statusWith(service.address, key), 401);
      await json('keys', 'revoke', '--key-id', rotated.key_id);
      assert.equal(await statusWith(service.address, rotated.key), 401);
    });

    it('reports text that is not an identifier like an unknown one', async () => {
      const unknown = await page.send('GET', `/v1/organizations/org_${'0'.repeat(24)}`);
      const expected = [404, await unknown.json()];
      for (const text of ['org_0', `${orgId}0`, 'a'.repeat(5_000), '%00', '%F0%9F%90%98', "' OR 1=1 --"]) {
        const response = await page.send('GET', `/v1/organizations/${text}`);
        assert.deepEqual([response.status, await response.json()], expected, text);
        const refused = await embedgate(
          ['usage', '--org-id', decodeURIComponent(text.replace('%00', ''))],
          service.environment,
        );
        assert.equal(refused.code, 1);
      }
    });

    it('deletes an organization with everything that belongs to it', async () => {
      await page.ask(204, 'DELETE', `/v1/organizations/${otherOrgId}`);
      await page.ask(404, 'GET', `/v1/organizations/${otherOrgId}`);
    });
  });
}
