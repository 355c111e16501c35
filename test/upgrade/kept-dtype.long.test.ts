import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Environment } from '../helpers/embedgate.ts';
import { openPostgres } from '../helpers/postgres.ts';
import { ownPostgres } from '../helpers/replicas.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { startService } from '../helpers/service.ts';
import { type OlderInstallation, olderPostgres, olderSqlite } from './older-installation.ts';

const text = 'Which vectors does the built-in model compute?';
const line =
  /universal-sentence-encoder-lite: stays in fp32, because an older release set up this installation\. Set EMBEDDING_DTYPE=int8 /g;

/** Starts a service and returns the vector of a text and the number of lines about the dtype. */
async function startAndEmbed(
  environment: Environment,
  known: { key?: string; dataDir?: string | undefined } = {},
): Promise<{ vector: number[]; lines: number }> {
  await using service = await startService({
    environment: { LOG_LEVEL: 'info', ...environment },
    ...(known.dataDir !== undefined && { dataDir: known.dataDir }),
  });
  const response = await requestEmbeddings(service.address, known.key ?? service.key, text);
  assert.equal(response.status, 200, service.stderr());
  const { data } = (await response.json()) as { data: { embedding: number[] }[] };
  return { vector: data[0]!.embedding, lines: service.stderr().match(line)?.length ?? 0 };
}

describe('the dtype of the built-in model', async () => {
  const opened = new AsyncDisposableStack();
  after(() => opened.disposeAsync());
  const [int8, fp32] = await Promise.all(
    ['int8', 'fp32'].map(async (dtype) => (await startAndEmbed({ EMBEDDING_DTYPE: dtype })).vector),
  );

  it('is int8 in a new installation on SQLite, and float32 if that is set', async () => {
    assert.notDeepEqual(int8, fp32);
    assert.ok(int8!.reduce((sum, x, i) => sum + x * fp32![i]!, 0) > 0.99);
    assert.deepEqual(await startAndEmbed({}), { vector: int8, lines: 0 });
  });

  it('is int8 in all replicas of a new installation on Postgres', async () => {
    const url = await opened.use(await openPostgres()).createDatabase();
    const shared = ownPostgres(url);
    await using first = await startService({ environment: shared });
    const { key } = first;
    for (const _ of [1, 2])
      assert.deepEqual(await startAndEmbed(shared, { key }), { vector: int8, lines: 0 });
  });

  const older: Record<string, (opened: AsyncDisposableStack) => Promise<OlderInstallation>> = {
    SQLite: olderSqlite,
    Postgres: olderPostgres,
  };
  for (const [store, open] of Object.entries(older)) {
    it(`stays float32 in an installation of an older release on ${store}, in a later start too, and the start says so`, async () => {
      const { environment, dataDir, known } = await open(opened);
      const place = { key: known.key, dataDir };
      for (const _ of [1, 2]) {
        assert.deepEqual(await startAndEmbed(environment, place), { vector: fp32, lines: 1 });
      }
      const chosen = { ...environment, EMBEDDING_DTYPE: 'int8' };
      assert.deepEqual(await startAndEmbed(chosen, place), { vector: int8, lines: 0 });
      const kept = { ...environment, EMBEDDING_DTYPE: 'fp32' };
      assert.deepEqual(await startAndEmbed(kept, place), { vector: fp32, lines: 0 });
    });
  }
});
