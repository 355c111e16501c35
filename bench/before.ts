import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { writeOlderProgram } from '../test/helpers/older-program.ts';
import { startPostgres } from '../test/helpers/postgres.ts';
import { requestEmbeddings } from '../test/helpers/requests.ts';
import { startService } from '../test/helpers/service.ts';
import type { Decided } from './before-process.ts';
import { type Benchmark, type Measurement, median } from './benchmark.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { cpuMs, mainThreadMs } from './process-figures.ts';

// Compares this checkout with an earlier commit, in turn: `BEFORE=HEAD~1 npm run bench -- before`. Processor time is
// compared, because it hardly depends on what else the machine does.

const commit = process.env.BEFORE ?? 'HEAD';
const root = fileURLToPath(new URL('..', import.meta.url));
/** Each has its own processes, because one process may be slower than another for its whole life. */
const runs = 4;
/** Even, so that each program is first equally often. */
const rounds = 24;
const durationMs = 400;
const connections = 32;
/** Until then, V8 still optimizes the service. */
const warmUpAnswers = 100_000;

const before = (name: string, what: string, start: Start): Benchmark => ({
  name: `before-${name}`,
  what: `${what} at ${commit} ÷ now`,
  bound: { atLeast: 0.99 },
  takesLong: true,
  run: () => measure(start),
});

export const beforeNow: readonly Benchmark[] = [
  before('cached', 'time of the main thread for a cached response', startCached),
  before('decisions', 'processor time of a decision on SQLite', async (program) => {
    const directory = temporaryDirectory();
    return await startDecisions(program, directory.path, directory);
  }),
  before('postgres-decisions', 'processor time of a decision, with that of Postgres', async (program) => {
    const postgres = await startPostgres({ durable: true });
    const [pid] = readFileSync(join(postgres.directory, 'postmaster.pid'), 'utf8').split('\n');
    return await startDecisions(program, await postgres.createDatabase(), postgres, Number(pid));
  }),
];

/** Returns the processor time of one of many responses or decisions, in microseconds. */
type Once = () => Promise<number>;
/** Starts the program in a directory, and warms it up. */
type Start = (program: string) => Promise<AsyncDisposable & { once: Once }>;

async function measure(start: Start): Promise<Measurement> {
  using directory = temporaryDirectory();
  writeOlderProgram(directory.path, commit);
  const pairs: { before: number; now: number }[] = [];
  for (let run = 0; run < runs; run += 1) {
    await using older = await start(directory.path);
    await using newer = await start(root);
    for (let round = 0; round < rounds; round += 1) {
      const isFirst = (run + round) % 2 === 0;
      const first = isFirst ? await older.once() : undefined;
      const now = await newer.once();
      pairs.push({ before: first ?? (await older.once()), now });
    }
  }
  const ratios = pairs.map((pair) => pair.before / pair.now).toSorted((a, b) => a - b);
  const at = (share: number) => ratios[Math.floor(share * (ratios.length - 1))]!.toFixed(3);
  return {
    value: median(ratios),
    details:
      `${median(pairs.map((pair) => pair.before)).toFixed(2)} µs against ${median(pairs.map(({ now }) => now)).toFixed(2)}, ` +
      `the middle half of ${ratios.length} ratios from ${at(0.25)} to ${at(0.75)}`,
  };
}

async function startCached(program: string): Promise<AsyncDisposable & { once: Once }> {
  const service = await startService({ program: join(program, 'bin/embedgate.js') });
  const { address, key, pid } = service;
  const text = 'The quick brown fox';
  await (await requestEmbeddings(address, key, text)).arrayBuffer();
  const request = postBytes('/v1/embeddings', { input: text }, { authorization: `Bearer ${key}` });
  const load = { address, connections, next: () => request, spin: true };
  await httpLoad({ ...load, maxAnswers: warmUpAnswers });
  return {
    once: async () => {
      const fromMs = mainThreadMs(pid);
      const { answers } = await httpLoad({ ...load, durationMs });
      return (1_000 * (mainThreadMs(pid) - fromMs)) / answers;
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** `serverPid` is that of the database's server, if it has one. */
async function startDecisions(
  program: string,
  database: string,
  owner: Disposable | AsyncDisposable,
  serverPid?: number,
): Promise<AsyncDisposable & { once: Once }> {
  const child = fork(new URL('./before-process.ts', import.meta.url), [program, database], {
    execArgv: ['--no-warnings'],
  });
  await answerOf(child);
  const decide = async () => {
    const fromMs = serverPid === undefined ? 0 : cpuMs(serverPid);
    child.send(durationMs);
    const { decisions, cpuUs } = (await answerOf(child)) as Decided;
    const ofServerMs = serverPid === undefined ? 0 : cpuMs(serverPid) - fromMs;
    return (cpuUs + 1_000 * ofServerMs) / decisions;
  };
  // The first ones compile.
  await decide();
  await decide();
  return {
    once: decide,
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, 'exit');
      if (Symbol.asyncDispose in owner) await owner[Symbol.asyncDispose]();
      else owner[Symbol.dispose]();
    },
  };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const [answer] = await once(child, 'message');
  return answer;
}
