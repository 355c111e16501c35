import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startService } from '../helpers/service.ts';
import { programs } from './programs.ts';

describe('batches with OpenAI’s SDK', () => {
  it('files, uploads and batches work unchanged', async () => {
    const { command, cwd } = programs.node!.prepare();
    await using service = await startService();
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, BASE_URL: service.address, API_KEY: service.key };
    await promisify(execFile)(command, ['--no-warnings', 'batches.ts'], { cwd, env, timeout: 60_000 });
  });
});
