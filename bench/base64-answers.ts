import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, rounded } from './benchmark.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { distinctTexts } from './texts.ts';

const connections = 32;
const rounds = 5;
const durationMs = 1_500;
/** As many as a client that embeds documents sends at a time. */
const batchTexts = 32;

export const base64Answers: Benchmark = {
  name: 'base64',
  what: 'cached answers in base64 ÷ the same as floats (512 dimensions, 1 text)',
  bound: { atLeast: 1.2 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  await using service = await startService();
  const perSecond = async (input: readonly string[], format: 'base64' | 'float'): Promise<number> => {
    const body = { input, encoding_format: format };
    const request = postBytes('/v1/embeddings', body, { authorization: `Bearer ${service.key}` });
    const { address } = service;
    return (await httpLoad({ address, connections, next: () => request, durationMs, spin: true })).perSecond;
  };
  const compare = async (input: readonly string[]) => {
    const pairs: { base64: number; float: number }[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      pairs.push({ float: await perSecond(input, 'float'), base64: await perSecond(input, 'base64') });
    }
    // The first round compiles.
    const warm = pairs.slice(1);
    return {
      base64: median(warm.map((pair) => pair.base64)),
      float: median(warm.map((pair) => pair.float)),
      ratio: median(warm.map((pair) => pair.base64 / pair.float)),
    };
  };
  const one = await compare(['The quick brown fox']);
  const many = await compare(Array.from({ length: batchTexts }, distinctTexts('base64')));
  return {
    value: one.ratio,
    details:
      `${rounded(one.base64)}/s against ${rounded(one.float)}/s; of ${batchTexts} texts a request, ` +
      `${rounded(many.base64)}/s against ${rounded(many.float)}/s: ${many.ratio.toPrecision(3)}`,
  };
}
