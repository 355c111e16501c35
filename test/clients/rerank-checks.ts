import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../helpers/directory.ts';
import { writeBertModel } from '../helpers/models/write-bert-model.ts';
import { NotInstalled, pythonOrReason } from '../helpers/python.ts';
import { startService } from '../helpers/service.ts';
import { untilEnd } from '../helpers/until-end.ts';

type Ranked = readonly (readonly [index: number, score: number])[];

const place = (path: string): string => fileURLToPath(new URL(`python/rerank/${path}`, import.meta.url));
const deadlineMs = 300_000;
const query = 'what is a cat';
const documents = ['a dog barks', 'a cat is an animal', 'rain', 'cat'];

describe('clients for reranking', async () => {
  const command = pythonOrReason(place('requirements.txt'));
  if (command instanceof NotInstalled) return it('run', { skip: command.message });
  const directory = untilEnd(temporaryDirectory());
  const model = join(directory.path, 'scorer');
  await writeBertModel(model, { outputs: ['logits'], tokenTypes: true });
  const service = untilEnd(await startService({ environment: { RERANK_MODEL: model } }));
  const { stdout } = await promisify(execFile)(command, [place('rerank.py')], {
    timeout: deadlineMs,
    env: {
      ...process.env,
      BASE_URL: service.address,
      KEY: service.key,
      MODEL: 'scorer',
      QUERY: query,
      DOCUMENTS: JSON.stringify(documents),
    },
  });
  const ranked = JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, Ranked>;
  const response = await fetch(`${service.address}/v1/rerank`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, documents, top_n: documents.length - 1 }),
  });
  const { results } = (await response.json()) as { results: { index: number; relevance_score: number }[] };

  for (const [client, found] of Object.entries(ranked)) {
    it(client, () => {
      assert.deepEqual(
        found,
        results.map(({ index, relevance_score: score }) => [index, score]),
      );
    });
  }
  return undefined;
});
