import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../../helpers/directory.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

test('npx in a checkout runs the command without changing the pages that a running service shows', async () => {
  using npmCache = temporaryDirectory();
  const built = () =>
    globSync(`${checkout}/web/dist/**/*`).map((path) => [path, statSync(path, { bigint: true }).ctimeNs]);
  const before = built();
  assert.ok(before.length > 0, 'the dashboard is not built');
  const { stdout } = await promisify(execFile)('npx', ['embedgate', '--version'], {
    cwd: checkout,
    env: { ...process.env, npm_config_cache: npmCache.path, npm_config_update_notifier: 'false' },
    timeout: 200_000,
  });
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  assert.deepEqual(built(), before);
});
