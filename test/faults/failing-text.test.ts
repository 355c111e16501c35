import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../helpers/directory.ts';
import { addUnknownRow } from '../helpers/models/poison.ts';
import { writeBertModel } from '../helpers/models/write-bert-model.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { startService } from '../helpers/service.ts';
import { reply, sound, UpstreamServer } from '../helpers/upstream-server.ts';

const clients = 20;
/** How many of the 20 clients send only the failing text. */
const failingClients = 2;
const seconds = 60;
const poison = 'zzpoison';
/** A busy machine takes longer for so many requests of the others. */
const enough = 100;

describe('twenty clients for a minute beside a text that always fails', () => {
  it('have no failures with a model that runs here', async () => assertIsolated(await besideOnnx()));

  it('have no failures with an upstream', async () => assertIsolated(await besideUpstream()));
});

/** How many requests ended with each status. */
interface Statuses {
  readonly failing: ReadonlyMap<number, number>;
  readonly others: ReadonlyMap<number, number>;
}

/** A model that is computed here and fails at one text. */
async function besideOnnx(): Promise<Statuses> {
  using directory = temporaryDirectory();
  const model = join(directory.path, 'model');
  await writeBertModel(model);
  await addUnknownRow(model, poison);
  return await beside({ EMBEDDING_MODEL: model });
}

/** An upstream that fails at the same text. */
async function besideUpstream(): Promise<Statuses> {
  await using server = await new UpstreamServer().listen();
  server.otherwise = (response, request) =>
    (request.input.some((text) => text.includes(poison)) ? reply(500) : sound)(response, request);
  return await beside({ EMBEDDING_UPSTREAM_URL: server.url, EMBEDDING_MODEL: 'theirs' });
}

async function beside(environment: Record<string, string>): Promise<Statuses> {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'tiers.json');
  await writeFile(file, JSON.stringify({ tiers: [{ name: 'free', limit: 'unlimited', price: '$0' }] }));
  await using service = await startService({
    environment: { LOG_LEVEL: 'fatal', EMBEDGATE_CONFIG: file, ...environment },
  });
  const failing = new Map<number, number>();
  const others = new Map<number, number>();
  const end = performance.now() + seconds * 1_000;
  let answered = 0;
  const client = async (id: number): Promise<void> => {
    for (let i = 0; performance.now() < end || answered <= enough; i += 1) {
      const fails = id < failingClients;
      const text = fails ? `${poison} ${id} ${i}` : `client ${id} text ${i}`;
      const response = await requestEmbeddings(service.address, service.key, text);
      await response.arrayBuffer();
      if (!fails) answered += 1;
      const statuses = fails ? failing : others;
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, id) => client(id)));
  // ONNX Runtime would print the ids of tokens.
  assert.equal(service.stderr(), '');
  return { failing, others };
}

/** Checks that no request of another client failed, and that every request with the text did. */
function assertIsolated({ failing, others }: Statuses): void {
  assert.deepEqual([...failing.keys()], [503]);
  assert.deepEqual([...others.keys()], [200]);
  assert.ok(others.get(200)! > enough, `${others.get(200)} requests of others`);
}
