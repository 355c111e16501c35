import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../helpers/directory.ts';
import { embedgate } from '../helpers/embedgate.ts';
import { done } from '../helpers/outcomes.ts';
import { NotInstalled, pythonOrReason } from '../helpers/python.ts';
import { postEmbeddings } from '../helpers/requests.ts';
import { startService } from '../helpers/service.ts';
import { untilEnd } from '../helpers/until-end.ts';

const place = (path: string): string => fileURLToPath(new URL(`python/bulk/${path}`, import.meta.url));
const deadlineMs = 300_000;
const texts = ['How do I reset my password?', 'I forgot my login.', 'Grüße, "quoted"', '日本語', 'the last'];

describe('what "embedgate embed" writes', async () => {
  const command = pythonOrReason(place('requirements.txt'));
  if (command instanceof NotInstalled) return it('is read', { skip: command.message });
  const { path } = untilEnd(temporaryDirectory());
  const service = untilEnd(await startService());
  const run = (task: string) =>
    promisify(execFile)(command, [place('bulk.py'), task, path], {
      timeout: deadlineMs,
      env: { ...process.env, TEXTS: JSON.stringify(texts) },
    });
  const embed = async (input: string, output: string): Promise<void> => {
    const args = ['embed', join(path, input), '--out', join(path, output)];
    done(await embedgate(args, { EMBEDGATE_URL: service.address, EMBEDGATE_KEY: service.key }));
  };
  await run('write');
  writeFileSync(join(path, 'in.txt'), texts.join('\n'));
  await embed('in.txt', 'out.npy');
  await embed('in.txt', 'out.jsonl');
  for (const name of ['snappy', 'gzip', 'zstd', 'brotli', 'int96'])
    await embed(`${name}.parquet`, `out-${name}.parquet`);
  const { stdout } = await run('read');
  const response = await postEmbeddings(service.address, service.key, { input: texts });
  const { data } = (await response.json()) as { data: { embedding: number[] }[] };
  const vectors = data.map(({ embedding }) => embedding.map(Math.fround));

  for (const [reader, [type, rows]] of Object.entries<[string, number[][]]>(JSON.parse(stdout))) {
    it(`is read by ${reader}`, () => {
      assert.match(type, /^float(32)?$/);
      assert.deepEqual(rows, vectors);
    });
  }
  return undefined;
});
