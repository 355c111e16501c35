/** Embedgate and other programs with the same model of trained weights, in turn. `npm run bench -- peers` runs all. */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { writtenModels } from '../test/models/written-models.ts';
import { type Benchmark, type Measurement, rounded } from './benchmark.ts';
import { childServer } from './child-server.ts';
import { httpLoad } from './http-load.ts';
import { embeddingServers, type Peer } from './peers/embedding-servers.ts';
import { startEmbedgate } from './peers/embedgate.ts';
import { embedgateGateway, type Gateway, gateways } from './peers/gateways.ts';
import { type Figures, figuresInTurn } from './peers/load.ts';
import { requestOf, type Server } from './peers/spawned.ts';
import { textsOfTokens } from './peers/texts.ts';
import { distinctTexts } from './texts.ts';

const durationMs = 4_000;
const mostClients = 64;
const modelName = 'all-MiniLM-L6-v2';
const upstreamScript = fileURLToPath(new URL('peers/instant-upstream.ts', import.meta.url));

/** One for each peer, so that each can be measured alone. */
export const peers: readonly Benchmark[] = [
  ...embeddingServers.map((peer) => ({
    name: `peers-${peer.name}`,
    what: `texts/s with 64 clients, ${modelName} in int8 ÷ ${peer.what}`,
    bound: { atLeast: 1.5 },
    takesLong: true,
    run: () => measure(peer),
  })),
  ...gateways.map((gateway) => ({
    name: `peers-gateway-${gateway.name}`,
    what: `requests/s with 64 clients in front of an upstream, ${embedgateGateway.what} ÷ ${gateway.what}`,
    bound: { atLeast: 1 },
    takesLong: true,
    run: () => measureGateway(gateway),
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

/** Both in front of the same upstream, which computes nothing, and the upstream alone. */
async function measureGateway(gateway: Gateway): Promise<Measurement> {
  using directory = temporaryDirectory();
  await using upstream = await childServer(upstreamScript);
  const text = distinctTexts('gateway');
  const start = ({ name, start }: Gateway): Promise<Server> => {
    const own = join(directory.path, name);
    mkdirSync(own);
    return start(upstream.address, own);
  };
  await using server = await start(gateway);
  await using embedgate = await start(embedgateGateway);
  const figures = await figuresInTurn({ embedgate, [gateway.name]: server }, text, durationMs);
  const direct = { address: upstream.address, path: '/v1/embeddings', headers: {}, model: 'measured' };
  const { perSecond } = await httpLoad({
    address: upstream.address,
    connections: mostClients,
    next: () => requestOf(direct, text()),
    durationMs,
  });
  return {
    value: ratio(figures, 'embedgate', gateway.name),
    details: `the upstream alone ${rounded(perSecond)}/s with ${mostClients} clients\n${tableOf(figures)}`,
  };
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
