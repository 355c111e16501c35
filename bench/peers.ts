/** Embedgate and other programs with the same model of trained weights, in turn. `npm run bench -- peers` runs all. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { writtenModels } from '../test/models/written-models.ts';
import { type Benchmark, type Measurement, rounded } from './benchmark.ts';
import { embeddingServers, type Peer } from './peers/embedding-servers.ts';
import { startEmbedgate } from './peers/embedgate.ts';
import { type Figures, figuresInTurn } from './peers/load.ts';
import type { Server } from './peers/spawned.ts';
import { textsOfTokens } from './peers/texts.ts';

const durationMs = 4_000;
const modelName = 'all-MiniLM-L6-v2';

/** One for each peer, so that each can be measured alone. */
export const peers: readonly Benchmark[] = [
  ...embeddingServers.map((peer) => ({
    name: `peers-${peer.name}`,
    what: `texts/s with 64 clients, ${modelName} in int8 ÷ ${peer.what}`,
    bound: { atLeast: 1.5 },
    takesLong: true,
    run: () => measure(peer),
  })),
];

async function measure(peer: Peer): Promise<Measurement> {
  using directory = temporaryDirectory();
  const model = join(directory.path, modelName);
  const models = await writtenModels();
  // Some peers prefer a quantized graph.
  const isMeasured = (file: string): boolean => !file.endsWith('model_quantized.onnx');
  cpSync(join(models, modelName), model, { recursive: true, filter: isMeasured });
  const text = textsOfTokens(model, 5);
  await using server = await peer.start(model);
  const start = (dtype: string): Promise<Server> => {
    const settings = { EMBEDDING_MODEL: model, EMBEDDING_DTYPE: dtype };
    return startEmbedgate(join(directory.path, dtype), settings, modelName);
  };
  await using float32 = await start('fp32');
  await using int8 = await start('int8');
  const servers = { 'embedgate, float32': float32, 'embedgate, int8': int8, [peer.name]: server };
  const figures = await figuresInTurn(servers, text, durationMs);
  return { value: ratio(figures, 'embedgate, int8', peer.name), details: `\n${tableOf(figures)}` };
}

/** Of the rates with most clients. */
function ratio(figures: Readonly<Record<string, Figures>>, ours: string, peer: string): number {
  const most = (name: string): number => figures[name]!.loads.at(-1)!.perSecond;
  return most(ours) / most(peer);
}

/** Rates and times for each number of clients, and what a server takes. */
function tableOf(figures: Readonly<Record<string, Figures>>): string {
  const clients = Object.values(figures)[0]!.loads.map(({ clients }) => clients);
  const table = new Table({
    head: ['', ...clients.map((count) => `${count}: /s, p50, p99 ms`), 'start ms', 'idle MiB', 'loaded MiB'],
    style: { head: [], border: [] },
  });
  for (const [name, { loads, startMs, idleMiB, loadedMiB }] of Object.entries(figures)) {
    table.push([
      name,
      ...loads.map(
        (load) => `${rounded(load.perSecond)}, ${load.medianMs.toFixed(1)}, ${load.p99Ms.toFixed(1)}`,
      ),
      ...[startMs, idleMiB, loadedMiB].map((value) => value.toFixed(0)),
    ]);
  }
  return table.toString();
}
