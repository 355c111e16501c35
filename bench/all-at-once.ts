import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { apiJson } from '../test/helpers/embedgate.ts';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, median } from './benchmark.ts';
import { organization } from './fairness.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { distinctTexts } from './texts.ts';

const counts = [600, 1_500, 6_000];
const aloneMs = 5_000;
/** The organization that sends all at once may have so many requests a second, if it is paced. */
const perSecond = 100;

/** The single texts of another organization: sentences, and paragraphs like those that are sent all at once. */
type Kind = 'sentences' | 'paragraphs';
type Medians = Readonly<Record<Kind, number>>;

interface Flood {
  readonly name: string;
  readonly seconds: number;
  readonly refused: number;
  readonly statuses: string;
  readonly aloneMs: Medians;
  readonly besideMs: Medians;
}

let measured: Promise<Flood[]> | undefined;

const medianOf = (kind: Kind): Benchmark => ({
  name: `all-at-once-${kind}`,
  what: `median of another organization’s single ${kind} meanwhile ÷ alone, the largest`,
  bound: { atMost: 3 },
  takesLong: true,
  run: async () => {
    measured ??= measureAll();
    const floods = await measured;
    const told = floods.map(
      ({ name, besideMs, aloneMs }) =>
        `${name}: ${besideMs[kind].toFixed(1)} ms against ${aloneMs[kind].toFixed(1)}`,
    );
    return {
      value: Math.max(...floods.map(({ besideMs, aloneMs }) => besideMs[kind] / aloneMs[kind])),
      details: told.join('; '),
    };
  },
});

export const allAtOnce: readonly Benchmark[] = [
  {
    name: 'all-at-once-refused',
    what: `refused of ${counts.join(', ')} paragraphs, each in a request on a connection of its own, all sent at once, paced and not`,
    bound: { atMost: 0 },
    takesLong: true,
    run: async () => {
      measured ??= measureAll();
      const floods = await measured;
      const told = floods.map(
        ({ name, statuses, seconds }) => `${name}: ${statuses} in ${seconds.toFixed(0)} s`,
      );
      return { value: floods.reduce((sum, { refused }) => sum + refused, 0), details: told.join('; ') };
    },
  },
  medianOf('sentences'),
  medianOf('paragraphs'),
];

async function measureAll(): Promise<Flood[]> {
  const floods: Flood[] = [];
  for (const count of counts) for (const isPaced of [false, true]) floods.push(await measure(count, isPaced));
  return floods;
}

async function measure(count: number, isPaced: boolean): Promise<Flood> {
  await using service = await startService({ environment: { EMBEDDING_WORKERS: '' } });
  const { address } = service;
  const flooding = await organization(service, 'Flooding', 'scale');
  const calm = await organization(service, 'Calm', 'scale');
  if (isPaced) {
    const limit = { unit: 'requests', window: 'second', amount: perSecond, max_wait_seconds: 60 };
    const path = `/v1/organizations/${flooding.orgId}/limits`;
    await apiJson(['POST', path, JSON.stringify(limit)], service.environment);
  }
  const sentence = distinctTexts('calm');
  let sent = 0;
  const texts = {
    sentences: sentence,
    paragraphs: () => `Paragraph ${sent} of another manual. `.repeat(20),
  };
  const calmLoad = async (durationMs: number, signal?: AbortSignal): Promise<Medians> => {
    const tookMs: Record<Kind, number[]> = { sentences: [], paragraphs: [] };
    // In turn.
    const kind = (): Kind => (sent % 2 === 0 ? 'sentences' : 'paragraphs');
    const next = () =>
      postBytes('/v1/embeddings', { input: texts[kind()]() }, { authorization: `Bearer ${calm.key}` });
    const onAnswer = (ms: number) => {
      tookMs[kind()].push(ms);
      sent += 1;
    };
    const load = { address, connections: 1, next, durationMs, onAnswer };
    await httpLoad({ ...load, ...(signal && { signal }) }).catch((reason) => {
      if (!signal?.aborted) throw reason;
    });
    return { sentences: median(tookMs.sentences), paragraphs: median(tookMs.paragraphs) };
  };
  await calmLoad(2_000);
  const alone = await calmLoad(aloneMs);

  const name = `${count}${isPaced ? ' paced' : ''}`;
  const child = fork(
    new URL('./all-at-once-process.ts', import.meta.url),
    [address, flooding.key, String(count), name],
    { execArgv: ['--no-warnings'] },
  );
  await once(child, 'message');
  const began = performance.now();
  child.send('begin');
  const over = new AbortController();
  const answered = once(child, 'message').finally(() => over.abort());
  await setTimeout(500);
  const beside = await calmLoad(Number.POSITIVE_INFINITY, over.signal);
  const [statuses] = (await answered) as [Record<string, number>];
  return {
    name,
    seconds: (performance.now() - began) / 1_000,
    refused: count - (statuses['200'] ?? 0),
    statuses: JSON.stringify(statuses),
    aloneMs: alone,
    besideMs: beside,
  };
}
