import { setTimeout } from 'node:timers/promises';
import { embedgateJson } from '../test/helpers/embedgate.ts';
import { type RunningService, startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, quantile } from './benchmark.ts';
import { prepareFlood } from './flood.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { distinctTexts } from './texts.ts';

const floodConnections = 60;
const textsPerFloodRequest = 256;
/** Words of three letters, of about two tokens each. The built-in model cuts almost every text of so many. */
const wordsPerText = 128;
const rounds = 5;
const calmMs = 4_000;

const shareMs = 20_000;
const warmUpMs = 3_000;
/**
 * More than the service computes meanwhile. Each has one text, so that the number of responses is the number of texts.
 */
const shareRequests = 10_000;

export const calmBesideFlood: Benchmark = {
  name: 'fairness-calm',
  what: `p99 of one organization's single texts beside another one's ${floodConnections} requests of ${textsPerFloodRequest} long texts ÷ p99 without them`,
  bound: { atMost: 4 },
  run: measureCalm,
};

export const weightedFloods: Benchmark = {
  name: 'fairness-weights',
  what: `tokens of two flooding organizations with the weights 4 and 1 in ${shareMs / 1_000} s, ÷ 4 or its inverse, whichever is larger`,
  bound: { atMost: 1.1 },
  run: measureShares,
};

export const shortTextFlood: Benchmark = {
  name: 'fairness-short-texts',
  what: 'long texts of an enterprise organization per second beside a flood of two-word texts of a free one ÷ the 8/9 of its rate alone that their weights promise',
  bound: { atLeast: 0.9 },
  run: measureShortTexts,
};

async function measureCalm(): Promise<Measurement> {
  await using service = await startService({ environment: { EMBEDDING_WORKERS: '' } });
  const { address } = service;
  const { key: flooding } = await organization(service, 'Flooding', 'scale');
  const { key: calm } = await organization(service, 'Calm', 'scale');
  const text = distinctTexts('calm');
  const next = (): Buffer =>
    postBytes('/v1/embeddings', { input: text() }, { authorization: `Bearer ${calm}` });

  let refusals = 0;
  const onRefusal = (): void => {
    refusals += 1;
  };
  const calmAlone = async () => {
    const tookMs: number[] = [];
    const onAnswer = (ms: number) => tookMs.push(ms);
    await httpLoad({ address, connections: 1, next, durationMs: calmMs, onAnswer, onRefusal });
    const ascending = Float64Array.from(tookMs).sort();
    return { p50: quantile(ascending, 0.5), p99: quantile(ascending, 0.99), count: ascending.length };
  };
  let floods = 0;
  const refused: number[] = [];
  const calmBeside = async () => {
    floods += 1;
    const begin = await prepareFlood({
      address,
      key: flooding,
      connections: floodConnections,
      requests: 2 * floodConnections,
      texts: textsPerFloodRequest,
      words: wordsPerText,
      seed: floods,
      fromMs: 0,
      durationMs: calmMs + 2_000,
    });
    const flooded = begin();
    await setTimeout(1_500);
    const calmly = await calmAlone();
    refused.push((await flooded).refusals);
    return calmly;
  };
  await calmBeside();
  const pairs: {
    alone: Awaited<ReturnType<typeof calmAlone>>;
    beside: Awaited<ReturnType<typeof calmAlone>>;
  }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ alone: await calmAlone(), beside: await calmBeside() });
  }
  const middle = (figure: (pair: (typeof pairs)[number]) => number): string =>
    median(pairs.map(figure)).toFixed(1);
  return {
    value: median(pairs.map(({ alone, beside }) => beside.p99 / alone.p99)),
    details:
      `p99 ${middle(({ beside }) => beside.p99)} ms against ${middle(({ alone }) => alone.p99)} ms, ` +
      `median ${middle(({ beside }) => beside.p50)} against ${middle(({ alone }) => alone.p50)}; ` +
      `${refusals} refusals of the calm organization, ${median(refused)} of a flood; ` +
      `ratios ${pairs.map(({ alone, beside }) => (beside.p99 / alone.p99).toFixed(1)).join(', ')}`,
  };
}

/** Measures two floods at a time. Their tiers have the weights 4 (scale) and 1 (free). */
async function measureShares(): Promise<Measurement> {
  await using service = await startService({ environment: { EMBEDDING_WORKERS: '' } });
  const keys = [await organization(service, 'First', 'scale'), await organization(service, 'Second', 'free')];
  const floods = await Promise.all(
    keys.map(({ key }, i) =>
      prepareFlood({
        address: service.address,
        key,
        connections: floodConnections,
        requests: shareRequests,
        texts: 1,
        words: wordsPerText,
        seed: i + 1,
        fromMs: warmUpMs,
        durationMs: warmUpMs + shareMs,
      }),
    ),
  );
  const [first, second] = await Promise.all(floods.map((begin) => begin()));
  const ratio = first!.answers / second!.answers / 4;
  return {
    value: Math.max(ratio, 1 / ratio),
    details: `${first!.answers} and ${second!.answers} texts, cut at 256 tokens; ${first!.refusals} and ${second!.refusals} refusals`,
  };
}

async function measureShortTexts(): Promise<Measurement> {
  await using service = await startService({ environment: { EMBEDDING_WORKERS: '' } });
  const { address } = service;
  const [long, short] = [
    await organization(service, 'Long texts', 'enterprise'),
    await organization(service, 'Short texts', 'free'),
  ];
  let seed = 0;
  const longTexts = () =>
    prepareFlood({
      address,
      key: long.key,
      connections: floodConnections,
      requests: shareRequests,
      texts: 1,
      words: wordsPerText,
      seed: ++seed,
      fromMs: warmUpMs,
      durationMs: warmUpMs + shareMs / 2,
    });
  const beside: number[] = [];
  const alone: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    alone.push((await (await longTexts())()).answers);
    const floods = await Promise.all([
      longTexts(),
      prepareFlood({
        address,
        key: short.key,
        connections: 40,
        requests: 4_000,
        texts: 64,
        words: 2,
        seed: ++seed,
        fromMs: warmUpMs,
        durationMs: warmUpMs + shareMs / 2,
      }),
    ]);
    const [answered] = await Promise.all(floods.map((begin) => begin()));
    beside.push(answered!.answers);
  }
  const ratios = alone.map((count, i) => beside[i]! / (count * (8 / 9)));
  return {
    value: median(ratios),
    details: `${median(alone)} long texts alone, ${median(beside)} beside short ones, in ${shareMs / 2_000} s; ratios ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`,
  };
}

/** Creates an organization with a key. */
export async function organization(
  { environment }: RunningService,
  name: string,
  tier: string,
): Promise<{ readonly orgId: string; readonly key: string }> {
  const { org_id: orgId } = await embedgateJson<{ org_id: string }>(
    ['orgs', 'create', '--name', name, '--tier', tier],
    environment,
  );
  const { key } = await embedgateJson<{ key: string }>(
    ['keys', 'create', '--user-id', 'bench', '--org-id', orgId, '--name', 'bench'],
    environment,
  );
  return { orgId, key };
}
