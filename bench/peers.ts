/** Embedgate and other programs with the same model of trained weights, in turn. `npm run bench -- peers` runs all. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleTexts } from '../packages/engine-onnx/src/sample-texts.ts';
import { columns } from '../src/cli/table.ts';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { writtenModels } from '../test/models/written-models.ts';
import { type Benchmark, type Measurement, rounded } from './benchmark.ts';
import { embeddingServers, type Peer, sampleTextsFile } from './peers/embedding-servers.ts';
import { startEmbedgate } from './peers/embedgate.ts';
import { type Figures, figuresInTurn } from './peers/load.ts';
import type { Server } from './peers/spawned.ts';
import { textsOfTokens } from './peers/texts.ts';

const durationMs = 2_000;
const modelName = 'all-MiniLM-L6-v2';

const ours = 'embedgate, int8';
/** How much lower the quality of a peer's setting may be for its rate to count. */
const mayLose = 0.001;
const sameQuality = ({ quality }: Figures): number => quality - mayLose;
/** With most clients. */
const busy = ({ loads }: Figures) => loads.at(-1)!;

/** Each peer has three benchmarks, which share a run, and can be measured alone. */
export const peers: readonly Benchmark[] = embeddingServers.flatMap((peer) => {
  let measured: Promise<Record<string, Figures>> | undefined;
  const compare = async (
    ratio: (our: Figures, theirs: readonly Figures[]) => number,
    leastQuality: (our: Figures) => number = () => 0,
  ): Promise<Measurement> => {
    const isFirst = measured === undefined;
    measured ??= measure(peer);
    const figures = await measured;
    const our = figures[ours]!;
    const theirs = peer.settings.map((setting) => figures[`${peer.name}, ${setting}`]!);
    return {
      value: ratio(
        our,
        theirs.filter(({ quality }) => quality >= leastQuality(our)),
      ),
      details: isFirst ? `\n${tableOf(figures)}` : 'the same run',
    };
  };
  return [
    {
      name: `peers-${peer.name}-rate`,
      what: `texts/s with 64 clients, ${modelName} in int8 ÷ ${peer.what}, at its best with the same quality`,
      bound: { atLeast: peer.toReach ?? 1.3 },
      takesLong: true,
      run: () =>
        compare(
          (our, theirs) => busy(our).perSecond / Math.max(...theirs.map((their) => busy(their).perSecond)),
          sameQuality,
        ),
    },
    {
      name: `peers-${peer.name}-latency`,
      what: `median latency with one client, ${modelName} in int8 ÷ ${peer.what}, at its best`,
      bound: { atMost: 1 },
      takesLong: true,
      run: () =>
        compare(
          (our, theirs) =>
            our.loads[0]!.medianMs / Math.min(...theirs.map(({ loads }) => loads[0]!.medianMs)),
        ),
    },
    {
      name: `peers-${peer.name}-cpu`,
      what: `processor time of a text with 64 clients, ${modelName} in int8 ÷ ${peer.what}, at its best with the same quality`,
      bound: { atMost: 0.9 },
      takesLong: true,
      run: () =>
        compare(
          (our, theirs) => busy(our).cpuMs / Math.min(...theirs.map((their) => busy(their).cpuMs)),
          sameQuality,
        ),
    },
  ];
});

async function measure(peer: Peer): Promise<Record<string, Figures>> {
  using directory = temporaryDirectory();
  const model = join(directory.path, modelName);
  cpSync(join(await writtenModels(), modelName), model, { recursive: true });
  writeFileSync(join(model, sampleTextsFile), JSON.stringify(sampleTexts));
  await using started = new AsyncDisposableStack();
  const servers: Record<string, Server> = {};
  for (const setting of peer.settings) {
    servers[`${peer.name}, ${setting}`] = started.use(await peer.start(model, setting));
  }
  // As the model's authors publish it, which the native encoder computes.
  const published = join(directory.path, 'published', modelName);
  cpSync(model, published, { recursive: true });
  rmSync(join(published, 'onnx'), { recursive: true });
  for (const [name, dtype] of [
    ['embedgate, float32', 'fp32'],
    [ours, 'int8'],
  ] as const) {
    const settings = { EMBEDDING_MODEL: published, EMBEDDING_DTYPE: dtype };
    servers[name] = started.use(await startEmbedgate(join(directory.path, dtype), settings, modelName));
  }
  return await figuresInTurn(servers, textsOfTokens(model, 5), durationMs);
}

/** Rates, times and processor time for each number of clients, and what a server takes. */
function tableOf(figures: Readonly<Record<string, Figures>>): string {
  const clients = Object.values(figures)[0]!.loads.map(({ clients }) => clients);
  return columns(
    [
      '',
      ...clients.map((count) => `${count}: /s, p50, p99, CPU ms`),
      'start ms',
      'idle MiB',
      'loaded MiB',
      'Spearman',
    ],
    Object.entries(figures).map(([name, { loads, startMs, idleMiB, loadedMiB, quality }]) => [
      name,
      ...loads.map(
        (load) =>
          `${rounded(load.perSecond)}, ${[load.medianMs, load.p99Ms, load.cpuMs].map((ms) => ms.toFixed(1)).join(', ')}`,
      ),
      ...[startMs, idleMiB, loadedMiB].map((value) => value.toFixed(0)),
      quality.toFixed(4),
    ]),
  );
}
