import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, it, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { eventually } from '../../helpers/eventually.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const command = `${checkout}/bin/embedgate.js`;
/** Simulates a Node that can't replace its process, where the command starts a child. */
const withoutExecve = ['--import', 'data:text/javascript,process.execve = undefined'];

const ways: readonly (readonly [name: string, program: string, args: readonly string[]])[] = [
  ['npm start', 'npm', ['start']],
  ['npx embedgate serve', 'npx', ['embedgate', 'serve']],
  ['an older Node', process.execPath, [...withoutExecve, command, 'serve']],
];

describe('SIGTERM to the process that was started', () => {
  for (const [name, program, args] of ways) {
    it(`stops the service gracefully: ${name}`, async () => {
      using directory = temporaryDirectory();
      const child = spawn(program, args, {
        cwd: checkout,
        env: {
          ...process.env,
          PORT: '0',
          DATA_DIR: directory.path,
          EMBEDDING_WORKERS: '1',
          LOG_LEVEL: 'info',
          // npm would wait for its registry at the end.
          npm_config_update_notifier: 'false',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        stdout += chunk;
      });
      const stderr = text(child.stderr);
      // The output ends with the last process that writes to it.
      const closed = once(child, 'close');
      const address = () => /listens on (http\S+)\n/.exec(stdout)?.[1];
      await eventually(() => address() !== undefined || child.exitCode !== null, { withinMs: 200_000 });
      child.kill('SIGTERM');
      await closed;
      assert.match(await stderr, /"stopping"/);
      await assert.rejects(fetch(`${address()}/health`));
    });
  }

  it('passes on the exit code of the child of an older Node', async () => {
    const child = spawn(process.execPath, [...withoutExecve, command, 'nonsense'], { stdio: 'ignore' });
    assert.deepEqual(await once(child, 'close'), [2, null]);
  });
});

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
