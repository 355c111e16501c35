import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { installOnce } from '../../helpers/install-once.ts';

/** Installs in a process of its own, which notes that it has begun, and takes `ms`. */
function installer(directory: string, ms: number): ChildProcess {
  const program = `
    import { appendFileSync } from 'node:fs';
    import { installOnce } from ${JSON.stringify(new URL('../../helpers/install-once.ts', import.meta.url))};
    installOnce(${JSON.stringify(join(directory, 'packages'))}, () => {
      appendFileSync(${JSON.stringify(join(directory, 'begun'))}, '.');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});
    });`;
  return spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

const begun = (directory: string): string => {
  const file = join(directory, 'begun');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

describe('a directory that is filled once', () => {
  it('is filled by one of the processes that need it at the same time', async () => {
    using directory = temporaryDirectory();
    const processes = Array.from({ length: 3 }, () => installer(directory.path, 1_000));
    const ended = await Promise.all(processes.map((child) => once(child, 'exit')));
    assert.deepEqual(ended, Array(3).fill([0, null]));
    assert.equal(begun(directory.path), '.');
  });

  it('is filled again after a process was killed while it did so', async () => {
    using directory = temporaryDirectory();
    const killed = installer(directory.path, 60_000);
    const ended = once(killed, 'exit');
    await eventually(() => begun(directory.path) === '.');
    killed.kill('SIGKILL');
    await ended;
    let times = 0;
    for (let i = 0; i < 2; i += 1) installOnce(join(directory.path, 'packages'), () => (times += 1));
    assert.equal(times, 1);
  });
});
