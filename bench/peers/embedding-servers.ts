/** Servers that compute embeddings themselves, each as its own users would set it up for two cores. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonWith } from '../../test/helpers/python.ts';
import { pythonOfReference } from '../../test/models/reference.ts';
import { type Server, spawned } from './spawned.ts';

export interface Peer {
  readonly name: string;
  readonly what: string;
  /** Installs it on first use, and starts it with the model in this directory. */
  start(model: string): Promise<Server>;
}

const place = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const python = (name: string): string => pythonWith(place(`${name}/requirements.txt`));
const name = 'measured';
const listen = (port: number): string[] => ['--host', '127.0.0.1', '--port', String(port)];
const offline = { HF_HUB_OFFLINE: '1', TOKENIZERS_PARALLELISM: 'false' };

export const embeddingServers: readonly Peer[] = [
  infinity('optimum'),
  infinity('torch'),
  library('fastembed', { atATime: 2, threads: 1 }),
  library('sentence-transformers', { atATime: 2, threads: 1 }),
  {
    name: 'transformers-js',
    what: 'transformers.js behind Fastify, a call per request',
    start: (model) =>
      spawned({
        program: process.execPath,
        args: (port) => [plainServiceScript(), model, String(port)],
        path: '/v1/embeddings',
        model: name,
      }),
  },
];

function infinity(engine: 'optimum' | 'torch'): Peer {
  return {
    name: `infinity-${engine}`,
    what: `infinity-emb with its engine ${engine}`,
    start: (model) => {
      const program = join(dirname(python('infinity')), 'infinity_emb');
      const options = ['--engine', engine, '--device', 'cpu', '--dtype', 'float32', '--no-bettertransformer'];
      return spawned({
        program,
        directory: engine === 'optimum' ? withGraphOnTop(model) : model,
        args: (port) => ['v2', '--model-id', '.', '--served-model-name', name, ...options, ...listen(port)],
        environment: () => ({
          ...offline,
          HF_HOME: join(dirname(model), 'optimized'),
          INFINITY_ANONYMOUS_USAGE_STATS: '0',
          DO_NOT_TRACK: '1',
        }),
        path: '/embeddings',
        model: name,
      });
    },
  };
}

/** Infinity finds the graph of a local model only in the working directory itself. Returns a copy in that shape. */
function withGraphOnTop(model: string): string {
  const copy = `${model}-with-graph-on-top`;
  const isCopied = (file: string): boolean => !/safetensors$|[\\/]onnx$/.test(file);
  cpSync(model, copy, { recursive: true, filter: isCopied });
  cpSync(join(model, 'onnx', 'model.onnx'), join(copy, 'model.onnx'));
  return copy;
}

/** A library behind FastAPI. */
function library(
  library: 'fastembed' | 'sentence-transformers',
  { atATime, threads }: { atATime: number; threads: number },
): Peer {
  return {
    name: library,
    what: `${library} behind FastAPI, ${atATime} calls at a time with ${threads} thread each`,
    start: (model) =>
      spawned({
        program: library === 'fastembed' ? python(library) : pythonOfReference(),
        args: (port) => [
          place('embed_server.py'),
          library,
          model,
          String(port),
          String(atATime),
          String(threads),
        ],
        environment: () => ({ ...offline, OMP_NUM_THREADS: String(threads) }),
        path: '/v1/embeddings',
        model: name,
      }),
  };
}

/** Returns the program. Its packages take half a gigabyte, so only people who compare install them. */
function plainServiceScript(): string {
  const directory = fileURLToPath(new URL('../../.cache/plain-service', import.meta.url));
  mkdirSync(directory, { recursive: true });
  for (const file of ['package.json', 'server.js']) {
    copyFileSync(new URL(`plain-service/${file}`, import.meta.url), join(directory, file));
  }
  const script = join(directory, 'server.js');
  if (existsSync(join(directory, 'node_modules'))) return script;
  const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: directory,
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The plain service could not be installed');
  return script;
}
