import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../../test/helpers/directory.ts';
import { takeProcessLock, tryProcessLock } from '../src/process-lock.ts';

describe('a lock between processes', () => {
  it('belongs to one at a time, and is not lost when the same process tries to take it again', async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'lock');
    {
      using lock = tryProcessLock(path);
      assert.ok(lock);
      assert.equal(tryProcessLock(path), null);
      using other = await otherProcess(path);
      assert.equal(other.hasLock, false);
    }
    using free = tryProcessLock(path);
    assert.ok(free);
  });

  it('is waited for, with one notice, and until the signal', async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'lock');
    const first = tryProcessLock(path);
    const notices: string[] = [];
    const second = takeProcessLock(path, { onWait: () => notices.push('waits') });
    await assert.rejects(takeProcessLock(path, { signal: AbortSignal.timeout(250) }), { name: 'AbortError' });
    assert.deepEqual(notices, ['waits']);
    first?.[Symbol.dispose]();
    (await second)[Symbol.dispose]();
    assert.deepEqual(notices, ['waits']);
  });

  it('ends with its process, even if that is killed', async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'lock');
    using other = await otherProcess(path);
    assert.equal(other.hasLock, true);
    assert.equal(tryProcessLock(path), null);
    await other.kill();
    using lock = tryProcessLock(path);
    assert.ok(lock);
  });

  it('has a file that only its owner can read', { skip: process.platform === 'win32' }, () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'lock');
    using _lock = tryProcessLock(path);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });
});

/** Starts a process that tries to take the lock of `path`, and ends when it is killed. */
async function otherProcess(
  path: string,
): Promise<Disposable & { readonly hasLock: boolean; kill(): Promise<unknown> }> {
  const program = `
    import { tryProcessLock } from ${JSON.stringify(new URL('../src/process-lock.ts', import.meta.url))};
    const lock = tryProcessLock(${JSON.stringify(path)});
    process.stdout.write(String(lock !== null));
    setInterval(() => lock, 1_000);`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const hasLock = String((await once(child.stdout, 'data'))[0]) === 'true';
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  return { hasLock, kill, [Symbol.dispose]: () => child.kill('SIGKILL') };
}
