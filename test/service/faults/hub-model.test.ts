import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate } from '../../helpers/embedgate.ts';
import { ModelHub } from '../../helpers/model-hub.ts';
import { writeBertModel } from '../../helpers/models/write-bert-model.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';

test('a first start pulls the configured model, and a later one needs no hub', async () => {
  using original = temporaryDirectory();
  using data = temporaryDirectory();
  await writeBertModel(original.path);
  const id = 'acme/tiny-bert';
  const environment = { EMBEDDING_MODEL: id, LOG_LEVEL: 'info', HF_TOKEN: 'hf_secret' };
  const dimensionsOf = async (endpoint: string) => {
    await using service = await startService({
      dataDir: data.path,
      environment: { ...environment, HF_ENDPOINT: endpoint },
    });
    const response = await requestEmbeddings(service.address, key(service.stdout()), 'text');
    const answer = (await response.json()) as { model: string; data: { embedding: number[] }[] };
    return { model: answer.model, dimensions: answer.data[0]?.embedding.length, log: service.stderr() };
  };
  let first: string | undefined;
  /** Only the first start shows it. */
  const key = (stdout: string): string => {
    first ??= /API key +(sk_\w+)/.exec(stdout)?.[1];
    return first ?? '';
  };

  await using hub = await ModelHub.start({ [id]: { directory: original.path, token: 'hf_secret' } });
  const { log, ...pulled } = await dimensionsOf(hub.endpoint);
  assert.deepEqual(pulled, { model: id, dimensions: 16 });
  assert.match(log, /model acme\/tiny-bert: pulled 0 % of .*pulled 100 % of /s);
  assert.doesNotMatch(log, /hf_secret/);
  await hub[Symbol.asyncDispose]();
  assert.equal((await dimensionsOf(hub.endpoint)).dimensions, 16);
});

test('a start with a model that the hub does not have ends with one line', async () => {
  using data = temporaryDirectory();
  await using hub = await ModelHub.start({});
  const { code, stderr } = await embedgate(['serve'], {
    DATA_DIR: data.path,
    PORT: '0',
    LOG_LEVEL: 'silent',
    HF_ENDPOINT: hub.endpoint,
    EMBEDDING_MODEL: 'acme/none',
  });
  assert.equal(code, 1);
  assert.match(stderr, /^embedgate: [^\n]*acme\/none[^\n]*\n$/);
});
