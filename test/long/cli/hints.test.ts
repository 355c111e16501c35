import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { runCommand } from '../../helpers/embedgate.ts';

test('a command that is used wrongly says what would be right', async () => {
  using directory = temporaryDirectory();
  const environment = { DATA_DIR: join(directory.path, 'data') };
  const created = await runCommand(['orgs', 'create', '--name', 'Acme'], environment);
  assert.equal(created.stderr, `Created a new database in ${environment.DATA_DIR}\n`);
  assert.equal((await runCommand(['orgs', 'create', '--name', 'Beta'], environment)).stderr, '');
  const secret = `sk_${'a'.repeat(64)}`;
  const key = await runCommand(['keys', 'revoke', '--key-id', secret], environment);
  assert.equal(key.stderr, 'embedgate: That is a key, not an id: "embedgate keys list" shows the ids\n');
  const org = ['keys', 'create', '--org-id', 'Acme', '--user-id', 'ada', '--name', 'k'];
  const unknown = await runCommand(org, environment);
  assert.match(unknown.stderr, /No organization Acme: see "embedgate orgs list"/);
  const serve = await runCommand(['serve', '--port', '9000'], environment);
  assert.match(serve.stderr, /Settings come from the environment: PORT=9000 embedgate serve/);
});

test('restore says how many files of batches are left behind', async () => {
  using directory = temporaryDirectory();
  await using app = await listeningApp();
  const form = new FormData();
  form.append('purpose', 'batch');
  const line = { custom_id: 'a', method: 'POST', url: '/v1/embeddings', body: { input: 'a' } };
  form.append('file', new Blob([JSON.stringify(line)]), 'lines.jsonl');
  const headers = { authorization: `Bearer ${app.key}` };
  const sent = await fetch(`${app.address}/v1/files`, { method: 'POST', headers, body: form });
  assert.equal(sent.status, 200);
  const to = join(directory.path, 'backup');
  assert.equal((await runCommand(['backup', '--to', to], { DATA_DIR: app.dataDir })).code, 0);
  const restored = { DATA_DIR: join(directory.path, 'data') };
  const { code, stderr } = await runCommand(['restore', '--from', to], restored);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^Contents of files of batches that are left behind: 1$/m);
  assert.ok(existsSync(restored.DATA_DIR));
});
