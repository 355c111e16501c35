import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { requestEmbeddings } from '../test/helpers/requests.ts';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, rounded } from './benchmark.ts';
import { childServer } from './child-server.ts';
import { httpLoad, postBytes } from './http-load.ts';

const connections = 32;
const rounds = 7;
const durationMs = 2_500;
const text = 'The quick brown fox';

export const cachedAnswers: Benchmark = {
  name: 'cached',
  what: `cached answers over HTTP (1 text, float, ${connections} connections) ÷ a bare Fastify route with the same bytes`,
  bound: { atLeast: 0.6 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  using directory = temporaryDirectory();
  await using service = await startService();
  await (await requestEmbeddings(service.address, service.key, text)).arrayBuffer();
  const answerFile = join(directory.path, 'answer.json');
  writeFileSync(answerFile, await (await requestEmbeddings(service.address, service.key, text)).text());
  const bareScript = fileURLToPath(new URL('bare-server.ts', import.meta.url));
  await using bare = await childServer(bareScript, answerFile);

  const request = postBytes('/v1/embeddings', { input: text }, { authorization: `Bearer ${service.key}` });
  const perSecond = async (address: string, spin: boolean): Promise<number> =>
    (await httpLoad({ address, connections, next: () => request, durationMs, spin })).perSecond;
  const compare = async (spin: boolean) => {
    const pairs: { bare: number; gate: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      pairs.push({ bare: await perSecond(bare.address, spin), gate: await perSecond(service.address, spin) });
    }
    // The first round compiles.
    const warm = pairs.slice(1);
    return {
      bare: median(warm.map((pair) => pair.bare)),
      gate: median(warm.map((pair) => pair.gate)),
      ratio: median(warm.map((pair) => pair.gate / pair.bare)),
    };
  };
  const awake = await compare(true);
  const asleep = await compare(false);
  return {
    value: awake.ratio,
    details:
      `${rounded(awake.gate)}/s against ${rounded(awake.bare)}/s; with a client that sleeps between answers, so that waking ` +
      `it is part of the cost, ${rounded(asleep.gate)}/s against ${rounded(asleep.bare)}/s: ${asleep.ratio.toPrecision(2)}`,
  };
}
