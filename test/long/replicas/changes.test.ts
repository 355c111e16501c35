import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { parseSigningKeys } from '../../../src/keys/keyring.ts';
import { allRows } from '../../../src/lib/page.ts';
import { embedgateJson } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { FastClient } from '../../helpers/fast-client.ts';
import { openPostgres, runSql, type TestPostgres } from '../../helpers/postgres.ts';
import { newOrganization, newPem, type Replicas, startReplicas } from '../../helpers/replicas.ts';

const custom = { requests: 100, window: 'day' } as const;
const rounds = 10;

describe('two replicas that start at once on an empty database', () => {
  const client = new FastClient();
  let postgres: TestPostgres;
  let url: string;
  let replicas: Replicas;
  let here: string;
  let there: string;
  before(async () => {
    postgres = await openPostgres();
    url = await postgres.createDatabase();
    replicas = await startReplicas(url, 2);
    [here, there] = replicas.services.map(({ address }) => address) as [string, string];
  });
  after(async () => {
    client[Symbol.dispose]();
    await replicas[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  const embed = async (address: string, key: string, text: string) => {
    const { status, headers, body } = await client.embed(address, key, text);
    const { cached } = JSON.parse(body) as { cached?: boolean };
    return { status, cached, limit: headers['x-ratelimit-limit'] };
  };
  const statusAt = async (address: string, key: string) => (await embed(address, key, 'the same')).status;
  const tell = (t: TestContext, what: string, tookMs: readonly number[]) => {
    const [fastest, slowest] = [Math.min(...tookMs), Math.max(...tookMs)].map((ms) => ms.toFixed(1));
    t.diagnostic(`${what}: ${fastest} to ${slowest} ms after the change was committed`);
  };

  test('create exactly one first organization and key, which both accept', async () => {
    const keys = replicas.services.flatMap(({ stdout }) => /API key +(sk_\w+)/.exec(stdout())?.[1] ?? []);
    assert.equal(keys.length, 1);
    assert.equal((await allRows((page) => replicas.gate.organizations.list(page))).length, 1);
    assert.deepEqual([await statusAt(here, keys[0]!), await statusAt(there, keys[0]!)], [200, 200]);
  });

  test('share a text that one computes, and count it once', async () => {
    const { orgId, keys } = await newOrganization(replicas.gate, custom, 1);
    const vectors = async () => (await runSql(url, 'SELECT count(*)::INT AS n FROM vectors'))[0]?.n;
    const before = await vectors();
    assert.equal((await embed(here, keys[0]!, 'computed here')).cached, false);
    // Written after the response.
    await eventually(async () => (await vectors()) > before);
    assert.equal((await embed(there, keys[0]!, 'computed here')).cached, true);
    assert.equal((await replicas.gate.ledger.readStanding(orgId)).used, 1);
  });

  test('both apply a created key, a revoked one and a new limit', async (t) => {
    const tookMs = { created: [] as number[], limited: [] as number[], revoked: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      const { orgId, keys, keyIds } = await newOrganization(replicas.gate, custom, 1);
      for (const address of [here, there]) {
        const isAccepted = async () => (await statusAt(address, keys[0]!)) === 200;
        tookMs.created.push(await eventually(isAccepted, { everyMs: 0 }));
      }
      await replicas.gate.organizations.setTier(orgId, 'pro', null);
      for (const address of [there, here]) {
        const isLimited = async () => (await embed(address, keys[0]!, 'the same')).limit === '100000';
        tookMs.limited.push(await eventually(isLimited, { everyMs: 0 }));
      }
      await replicas.gate.keys.revoke(keyIds[0]!);
      for (const address of [here, there]) {
        const isRefused = async () => (await statusAt(address, keys[0]!)) === 401;
        tookMs.revoked.push(await eventually(isRefused, { everyMs: 0 }));
      }
    }
    for (const [what, times] of Object.entries(tookMs)) tell(t, what, times);
  });

  test('accept a key that was refused as unknown as soon as it exists', async () => {
    const { keys, keyIds } = await newOrganization(replicas.gate, custom, 1);
    const [digest] = await runSql(url, 'DELETE FROM api_keys WHERE key_id = $1 RETURNING *', keyIds);
    assert.ok(digest);
    await eventually(async () => (await statusAt(there, keys[0]!)) === 401);
    const columns = Object.keys(digest);
    const places = columns.map((_, i) => `$${i + 1}`);
    await runSql(url, `INSERT INTO api_keys (${columns}) VALUES (${places})`, Object.values(digest));
    await eventually(async () => (await statusAt(there, keys[0]!)) === 200);
  });

  test('change the signing key by hand, step by step on every replica, without a refused request', async () => {
    const { keys } = await newOrganization(replicas.gate, custom, 2);
    const [older] = replicas.signingKeys();
    const newer = newPem();
    const statuses = new Set<number>();
    let isOver = false;
    const clients = [here, there].flatMap((address) =>
      keys.map(async (key) => {
        while (!isOver) statuses.add(await statusAt(address, key));
      }),
    );
    const reissued = () => embedgateJson(['signing-key', 'reissue'], replicas.environment);

    // Sooner on one replica and later on another, as when files are distributed by hand.
    replicas.writeSigningKeys(`${older}${newer}`);
    replicas.writeSigningKeys(`${newer}${older}`);
    const tokens = (
      await runSql(url, 'SELECT count(*)::INT AS n FROM api_keys WHERE status = $1', ['active'])
    )[0]?.n;
    assert.deepEqual(await reissued(), { reissued: tokens, already_current: 0, left_invalid: 0 });
    replicas.writeSigningKeys(newer);
    const { keys: made } = await newOrganization(replicas.gate, custom, 1);
    for (const address of [here, there]) assert.equal(await statusAt(address, made[0]!), 200);
    isOver = true;
    await Promise.all(clients);
    assert.deepEqual([...statuses], [200]);
    assert.equal(parseSigningKeys(replicas.signingKeys()[1]!).length, 1);
  });
});
