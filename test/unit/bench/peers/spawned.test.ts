import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { spawned } from '../../../../bench/peers/spawned.ts';

const served = { path: '/v1/embeddings', model: 'unused' };
const node = (program: string) =>
  spawned({ ...served, program: process.execPath, args: () => ['--eval', program] });

describe('a server that does not start', () => {
  it('is reported if its program does not exist', async () => {
    const missing = spawned({ ...served, program: '/missing/program', args: () => [] });
    await assert.rejects(missing, { code: 'ENOENT', path: '/missing/program' });
  });

  it('is reported with what it wrote, whether it exits or a signal ends it', async () => {
    await assert.rejects(node('console.error("no weights"); process.exitCode = 3'), /ended: no weights/);
    await assert.rejects(
      node('process.stderr.write("too large", () => process.kill(process.pid, "SIGKILL"))'),
      /ended: too large/,
    );
  });
});
