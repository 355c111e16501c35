import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { digestOf } from '../../../src/keys/key-secret.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';

test('no key appears in a log line, an error or a file, whatever goes wrong', async () => {
  using directory = temporaryDirectory();
  const text = 'a confidential sentence that nobody else may find';
  const service = await startService({ dataDir: directory.path, environment: { LOG_LEVEL: 'trace' } });
  const { key, address } = service;
  const told: string[] = [];
  const keep = async (response: Response) => {
    told.push(JSON.stringify([...response.headers]), await response.text());
  };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = (body: string) => fetch(`${address}/v1/embeddings`, { method: 'POST', headers, body });

  await keep(await requestEmbeddings(address, key, text));
  await keep(await post(`{"input": "${key}", "model": 1}`));
  await keep(await post(`{"input": ${key}}`));
  await keep(await fetch(`${address}/${key}`, { headers: { authorization: key } }));
  await keep(await fetch(`${address}/v1/usage?key=${key}`, { headers }));
  await keep(await fetch(`${address}/v1/nothing?key=${key}`, { headers }));
  await keep(await fetch(`${address}/metrics`));
  await service.stop();

  const files = readdirSync(directory.path, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(directory.path, name)).toString('latin1'));
  const [onlyOnce, ...rest] = service.stdout().split('Shown only once');
  assert.ok(onlyOnce?.includes(key));
  // The `curl` line of the first start shows it once.
  const printed = rest.join('').replace(`Bearer ${key}`, '');
  for (const place of [
    printed,
    service.stderr(),
    ...told.filter((line) => !line.includes('No route')),
    ...files,
  ]) {
    assert.ok(!place.includes(key), place.slice(0, 200));
  }
  for (const place of [printed, service.stderr(), ...told]) assert.ok(!place.includes(digestOf(key)));
  const bytes = Buffer.from(key.slice('sk_'.length), 'hex').toString('latin1');
  for (const file of files)
    for (const secret of [text, bytes, key.slice('sk_'.length)]) assert.ok(!file.includes(secret));
});
