import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { cacheDirectory, hashOf, installOnce, pythonWith, runPython } from '../test/helpers/python.ts';
import { startService } from '../test/helpers/service.ts';
import { writtenModels } from '../test/models/written-models.ts';
import { type Benchmark, median, rounded } from './benchmark.ts';
import { freeOfQuota } from './free-of-quota.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { textsOfTokens } from './peers/texts.ts';

const rounds = 3;
const seconds = 5;
const pairs = 2_000;
const documentsPerRequest = 50;
const connections = 4;
const query = 'what is the fastest way to the station';

const place = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export const rerank: Benchmark = {
  name: 'rerank',
  what: 'reranked pairs/s over HTTP in int8 from safetensors ÷ CrossEncoder of sentence-transformers in float32',
  bound: { atLeast: 1.5 },
  takesLong: true,
  run: async () => {
    const python = pythonWith(place('../test/models/writer/requirements.txt'));
    const writer = place('../test/models/writer/write_cross_encoder.py');
    const trained = join(await writtenModels(), 'all-MiniLM-L6-v2');
    const model = cacheDirectory('cross-encoder', hashOf([writer]));
    installOnce(model, () => runPython(python, writer, [model, join(trained, 'vocab.txt')]));
    const document = textsOfTokens(trained, 5);
    using directory = temporaryDirectory();
    const file = join(directory.path, 'pairs.json');
    writeFileSync(file, JSON.stringify(Array.from({ length: pairs }, () => [query, document()])));
    const published = join(directory.path, 'cross-encoder');
    cpSync(model, published, { recursive: true });
    rmSync(join(published, 'onnx'), { recursive: true });
    const environment = { RERANK_MODEL: published, RERANK_DTYPE: 'int8', EMBEDDING_WORKERS: '' };
    await using service = await startService({ environment });
    await freeOfQuota(service);
    const ours = async (): Promise<number> => {
      const next = (): Buffer => {
        const documents = Array.from({ length: documentsPerRequest }, document);
        return postBytes('/v1/rerank', { query, documents }, { authorization: `Bearer ${service.key}` });
      };
      const load = { address: service.address, connections, next, durationMs: seconds * 1_000 };
      const { answers, seconds: took } = await httpLoad(load);
      return (answers * documentsPerRequest) / took;
    };
    const theirs = (): number => {
      const args = [place('peers/cross_encoder.py'), model, file, String(seconds)];
      return Number(spawnSync(python, args, { encoding: 'utf8' }).stdout);
    };
    await ours();
    const rates: { ours: number; theirs: number }[] = [];
    for (let round = 0; round < rounds; round += 1) rates.push({ ours: await ours(), theirs: theirs() });
    const of = (side: 'ours' | 'theirs') => median(rates.map((rate) => rate[side]));
    return {
      value: median(rates.map(({ ours, theirs }) => ours / theirs)),
      details: `${rounded(of('ours'))} pairs/s against ${rounded(of('theirs'))}`,
    };
  },
};
