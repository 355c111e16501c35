import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, rounded } from './benchmark.ts';
import { httpLoad, postBytes } from './http-load.ts';

const connections = 32;
const rounds = 5;
const durationMs = 1_500;

export const base64Answers: Benchmark = {
  name: 'base64',
  what: 'cached answers in base64 ÷ the same as floats (512 dimensions)',
  bound: { atLeast: 1.2 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  await using service = await startService();
  const authorization = `Bearer ${service.key}`;
  const perSecond = async (format: 'base64' | 'float'): Promise<number> => {
    const body = { input: 'The quick brown fox', encoding_format: format };
    const request = postBytes('/v1/embeddings', body, { authorization });
    const { address } = service;
    return (await httpLoad({ address, connections, next: () => request, durationMs, spin: true })).perSecond;
  };
  const pairs: { base64: number; float: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    pairs.push({ float: await perSecond('float'), base64: await perSecond('base64') });
  }
  // The first round compiles.
  const warm = pairs.slice(1);
  return {
    value: median(warm.map((pair) => pair.base64 / pair.float)),
    details: `${rounded(median(warm.map((pair) => pair.base64)))}/s against ${rounded(median(warm.map((pair) => pair.float)))}/s`,
  };
}
