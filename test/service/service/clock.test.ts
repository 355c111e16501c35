import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { sealedVectors } from '../../../src/embeddings/sealed-vectors.ts';
import { VectorCache } from '../../../src/embeddings/vector-cache.ts';
import { Chores } from '../../../src/lib/chores.ts';
import { openLog } from '../../../src/service/log.ts';
import { addUpkeep } from '../../../src/service/upkeep.ts';
import { listeningApp } from '../../helpers/app.ts';
import { batchClient, jsonl, line } from '../../helpers/batch-client.ts';
import { Browser } from '../../helpers/browser.ts';
import { TestClock } from '../../helpers/clock.ts';
import { runCommand } from '../../helpers/embedgate.ts';
import { secondConnection } from '../../helpers/second-connection.ts';

const dayMs = 86_400_000;

/** The chores of a service, whose rounds only a test begins: none begins by itself, however long the test takes. */
class Rounds extends Chores {
  readonly #rounds: (() => Promise<void>)[] = [];

  override add(...chore: Parameters<Chores['add']>): () => Promise<void> {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const round = super.add(...chore);
    mock.timers.reset();
    this.#rounds.push(round);
    return round;
  }

  async all(): Promise<void> {
    await Promise.all(this.#rounds.map((round) => round()));
  }
}

describe('a clock that is far ahead', () => {
  it('deletes nothing and runs no batch until a person confirms it, and the log says so', async () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    await using opened = new AsyncDisposableStack();
    const app = opened.use(await listeningApp({ clock }));
    const { services, orgId, dataDir } = app;
    const { stores, keys, recorder, changed } = services;
    const written: string[] = [];
    const log = openLog('warn', { isTTY: true, write: (text: string) => written.push(text) > 0 });
    const cache = new VectorCache(sealedVectors(stores.vectors), clock, {
      maxMemoryBytes: 0,
      maxStoreBytes: 1_000_000,
      maxStoreAgeMs: 30 * dayMs,
      hasRoom: async () => true,
      onError: (reason) => assert.fail(String(reason)),
    });
    const chores = new Rounds(stores.leases.take, clock);
    addUpkeep(chores, { core: services, cache, recorder, changed }, log);
    await chores.all();
    assert.deepEqual(written.splice(0), []);

    const page = await new Browser(app.address).signIn(app.administrator);
    const database = secondConnection(dataDir);
    database.exec('UPDATE sessions SET expires_at = 1');
    const vectors = sealedVectors(stores.vectors);
    const vector = { vector: Float32Array.of(1), tokenCount: 1, isCut: false };
    await vectors.put([{ key: 'k'.repeat(64), value: vector }], clock.now());
    const { keyId } = (await keys.create({ orgId, userId: 'ada', name: 'short', lifetimeMs: dayMs })).key;
    database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
      INSERT INTO api_keys (key_id, org_id, user_id, name, digest, hint, token, status, created_at, expires_at)
      SELECT 'copy ' || i, org_id, user_id, name, 'copy ' || i, hint, token, status, created_at + i, expires_at
      FROM api_keys, n WHERE key_id = '${keyId}'`);
    const left = async () => ({
      sessions: database.prepare('SELECT count(*) AS n FROM sessions').get()?.n,
      keys: database.prepare(`SELECT count(*) AS n FROM api_keys WHERE key_id = '${keyId}'`).get()?.n,
      vectors: (await vectors.get(['k'.repeat(64)])).filter(Boolean).length,
    });

    clock.advance(300 * dayMs);
    await chores.all();
    await page.ask(401, 'GET', '/v1/me');
    assert.deepEqual(await left(), { sessions: 1, keys: 1, vectors: 1 });
    assert.match(
      written.splice(0).join(''),
      /the clock is \d+ days ahead of .* "embedgate trust-clock" confirms/,
    );
    const client = batchClient(app);
    const batch = await client.create(jsonl([line('a', { input: 'a' })]));
    for (let i = 0; i < 20; i += 1) {
      services.batchRunner.kick();
      assert.equal((await client.send('GET', `/batches/${batch.id}`)).json.status, 'validating');
    }

    assert.equal((await runCommand(['trust-clock'], { DATA_DIR: dataDir })).code, 0);
    await chores.all();
    await page.ask(401, 'GET', '/v1/me');
    assert.deepEqual(await left(), { sessions: 0, keys: 0, vectors: 0 });
    assert.equal((await client.ended(batch.id)).status, 'completed');
    assert.deepEqual(written.splice(0), []);

    clock.advance(-300 * dayMs);
    await chores.all();
    assert.match(written.splice(0).join(''), /the clock was \d+ days ahead before: some limits begin in/);

    database.close();
    await opened.disposeAsync();
    await chores.all();
    const lines = written.join('');
    assert.match(lines, /the secrets or the clock could not be compared with the database/);
    assert.doesNotMatch(lines, /days ahead|lost or replaced/);
    await chores.close();
    await cache.close();
  });
});
