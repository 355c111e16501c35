import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { describe, it } from 'node:test';
import { memoryMiB } from '../../../../bench/peers/process-memory.ts';
import { eventually } from '../../../helpers/eventually.ts';

describe('the memory of a process', { skip: platform() !== 'linux' && 'only Linux states it' }, () => {
  it('leaves out a child that has ended', async () => {
    // The program that replaces the shell never waits for the shell's child, so that its entry stays.
    const parent = spawn('sh', ['-c', 'true & exec sleep 60'], { stdio: 'ignore' });
    const { pid } = parent;
    assert.ok(pid);
    try {
      await eventually(() => {
        const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
        return child !== undefined && /^State:\tZ/m.test(readFileSync(`/proc/${child}/status`, 'utf8'));
      });
      assert.ok(memoryMiB(pid) > 0);
    } finally {
      const ended = once(parent, 'exit');
      parent.kill();
      await ended;
    }
    assert.throws(() => memoryMiB(pid), { code: 'ENOENT' });
  });
});
