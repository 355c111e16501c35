import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { runCommand, spawnEmbedgate } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePort } from '../../helpers/free-port.ts';
import { ModelHub } from '../../helpers/model-hub.ts';
import { writeBertModel } from '../../helpers/models/write-bert-model.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';

const settings = { EMBEDDING_WORKERS: '1', LOG_LEVEL: 'warn' };
/** Options of Node that load a file of this folder before the service. */
const preload = (name: string) => ({
  NODE_OPTIONS: `--import=${new URL(`../../faults/preload/${name}.mjs`, import.meta.url).href}`,
});

test('a signal in the turn in which the service begins to listen ends it', async () => {
  using directory = temporaryDirectory();
  const child = spawnEmbedgate(['serve'], {
    ...settings,
    ...preload('signal-while-listening'),
    DATA_DIR: directory.path,
    EMBEDGATE_BOOTSTRAP: 'off',
    PORT: '0',
  });
  const { code, signal } = await child.exited;
  assert.ok(code === 0 || signal === 'SIGTERM', `${code} ${signal} ${child.stderr()}`);
});

test('a first start is ready when it has printed its key, and then stops with 0', async () => {
  using directory = temporaryDirectory();
  const port = await freePort();
  const child = spawnEmbedgate(['serve'], { ...settings, DATA_DIR: directory.path, PORT: `${port}` });
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/ready`)).status === 200;
  await eventually(() => isReady().catch(() => false), { everyMs: 1 });
  child.kill('SIGTERM');
  assert.deepEqual(await child.exited, { code: 0, signal: null });
  assert.match(child.stdout(), /API key +sk_/);
});

test('a signal during the start ends the process at once, without an abort', async () => {
  using directory = temporaryDirectory();
  const port = await freePort();
  const child = spawnEmbedgate(['serve'], { ...settings, DATA_DIR: directory.path, PORT: `${port}` });
  const isListening = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      () => true,
      () => false,
    );
  await eventually(isListening, { everyMs: 1 });
  child.kill('SIGTERM');
  const { code, signal } = await child.exited;
  // The start may have ended meanwhile.
  assert.ok(signal === 'SIGTERM' || code === 0, `${code} ${signal} ${child.stderr()}`);
});

test('a service whose application cannot be built prints the reason and ends', async () => {
  using directory = temporaryDirectory();
  const child = spawnEmbedgate(['serve'], {
    ...settings,
    ...preload('no-document'),
    DATA_DIR: directory.path,
    PORT: '0',
  });
  assert.deepEqual(await child.exited, { code: 1, signal: null });
  assert.match(child.stderr(), /no such file: openapi\.json/);
});

test('a service that listens on all addresses prints one that other machines can use', async () => {
  await using service = await startService({ environment: { HOST: '0.0.0.0' } });
  assert.doesNotMatch(service.stdout(), /0\.0\.0\.0/);
  assert.equal((await fetch(`${service.address}/health`)).status, 200);
});

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
  const { code, stderr } = await runCommand(['serve'], {
    DATA_DIR: data.path,
    PORT: '0',
    LOG_LEVEL: 'silent',
    HF_ENDPOINT: hub.endpoint,
    EMBEDDING_MODEL: 'acme/none',
  });
  assert.equal(code, 1);
  assert.match(stderr, /^embedgate: [^\n]*acme\/none[^\n]*\n$/);
});
