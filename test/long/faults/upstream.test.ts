import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { runCommand } from '../../helpers/embedgate.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';
import { reply, UpstreamServer } from '../../helpers/upstream-server.ts';

const key = 'sk-upstream-0123456789';

test('no key of an upstream appears in a log line or a response, whatever the upstream says', async () => {
  await using server = await new UpstreamServer().listen();
  using directory = temporaryDirectory();
  const service = await startService({
    dataDir: directory.path,
    environment: {
      LOG_LEVEL: 'trace',
      EMBEDDING_UPSTREAM_URL: `${server.url}?api-version=${key}`,
      EMBEDDING_UPSTREAM_KEY: key,
      EMBEDDING_MODEL: 'theirs',
    },
  });
  const told: string[] = [];
  for (const status of [500, 400, 401, 404, 301, 401, 404]) {
    server.otherwise = reply(
      status,
      { error: { message: `no such key: ${key}`, code: key } },
      { location: `/${key}` },
    );
    const response = await requestEmbeddings(service.address, service.key, `text ${status}`);
    assert.equal(response.status, 503);
    told.push(JSON.stringify([...response.headers]), await response.text());
  }
  assert.equal(server.requests.at(-1)?.authorization, `Bearer ${key}`);
  await service.stop();
  told.push(service.stdout(), service.stderr());
  for (const place of told) assert.ok(!place.includes(key), place.slice(0, 300));
  assert.match(service.stderr(), /refuses the key \(401\)/);
  assert.match(service.stderr(), /gets no requests for a while: /);
});

test('a start without its upstream ends with one line that names the model and the address', async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'embedgate.yaml');
  const upstream = `{urls: ["http://127.0.0.1:1/v1"], model: theirs, key: ${key}, start_timeout_ms: 0}`;
  await writeFile(file, `models: [{name: docs, upstream: ${upstream}}]\n`);
  const { code, stderr } = await runCommand(['serve', '--config', file], {
    DATA_DIR: directory.path,
    LOG_LEVEL: 'silent',
    PORT: '0',
  });
  assert.equal(code, 1);
  assert.match(stderr, /^embedgate: model docs: http:\/\/127\.0\.0\.1:1\/v1 can't be reached, [^\n]+\n$/);
});

for (const [what, secret, more, message] of [
  ['data that cannot be used', 'x', '', /^embedgate: auth-secret in DATA_DIR has 1 bytes/],
  ['another model', 's'.repeat(32), ', {name: other, model: ./empty}]', /^embedgate: model other: [^\n]+\n$/],
  [
    'an unknown tier',
    's'.repeat(32),
    ']\ntiers: [{name: trial, limit: 5}]',
    /^embedgate: EMBEDGATE_CONFIG: the tier "own" is not configured/,
  ],
] as const) {
  test(`a start that fails because of ${what} does not wait for an upstream that is down`, async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, 'embedgate.yaml');
    const environment = {
      DATA_DIR: directory.path,
      LOG_LEVEL: 'silent',
      PORT: '0',
      EMBEDGATE_CONFIG: file,
    };
    if (what === 'an unknown tier') {
      await writeFile(file, 'tiers: [{name: own, limit: unlimited}]\n');
      const created = await runCommand(['orgs', 'create', '--name', 'Own'], environment);
      assert.equal(created.code, 0, created.stderr);
    } else await writeFile(join(directory.path, 'auth-secret'), secret);
    await mkdir(join(directory.path, 'empty'));
    const upstream = '{urls: ["http://127.0.0.1:1/v1"], model: theirs, start_timeout_ms: 600000}';
    await writeFile(file, `models: [{name: docs, upstream: ${upstream}}${more || ']'}\n`);
    const { code, stderr } = await runCommand(['serve'], environment);
    assert.equal(code, 1);
    assert.match(stderr, message);
  });
}
