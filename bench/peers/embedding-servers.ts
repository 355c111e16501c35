/** Servers that compute embeddings themselves, each as its own users would set it up for two cores. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonWith } from '../../test/helpers/python.ts';
import { type Server, spawned } from './spawned.ts';

export interface Peer {
  readonly name: string;
  readonly what: string;
  /** The ways to run it, the first in float32. */
  readonly settings: readonly string[];
  /** The ratio of texts per second that Embedgate should reach. Default: 1.3. */
  readonly toReach?: number;
  /** Installs it on first use, and starts it with the model in this directory. */
  start(model: string, setting: string): Promise<Server>;
}

const place = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const python = (name: string): string => pythonWith(place(`${name}/requirements.txt`));
const name = 'measured';
const listen = (port: number): string[] => ['--host', '127.0.0.1', '--port', String(port)];
const offline = { HF_HUB_OFFLINE: '1', TOKENIZERS_PARALLELISM: 'false' };

const file = (setting: string): string => `onnx/model${setting.startsWith('q8') ? '_quantized' : ''}.onnx`;

/** In the model's directory: what a library that quantizes after training measures the model on, as Embedgate does. */
export const sampleTextsFile = 'sample-texts.json';

export const embeddingServers: readonly Peer[] = [
  infinity('optimum', ['float32', 'q8']),
  infinity('torch', ['float32', 'int8']),
  {
    ...library('fastembed', {
      float32: [file('float32'), 2, 1],
      q8: [file('q8'), 2, 1],
      'q8, all cores for a call': [file('q8'), 1, 2],
    }),
    toReach: 1.4,
  },
  {
    ...library('openvino', {
      'quantized after training': [sampleTextsFile, 2, 1],
      'the same, all cores for a call': [sampleTextsFile, 1, 2],
    }),
    toReach: 1.2,
  },
  library('sentence-transformers', {
    float32: ['torch', 2, 1],
    q8: [file('q8'), 2, 1],
    'q8, all cores for a call': [file('q8'), 1, 2],
    'OpenVINO, int8': ['openvino', 1, 2],
  }),
  {
    name: 'transformers-js',
    what: 'transformers.js behind Fastify, a call per request',
    settings: ['float32', 'q8'],
    start: (model, setting) =>
      spawned({
        program: process.execPath,
        args: (port) => [plainServiceScript(), model, setting === 'q8' ? 'q8' : 'fp32', String(port)],
        path: '/v1/embeddings',
        model: name,
      }),
  },
];

function infinity(engine: 'optimum' | 'torch', settings: readonly string[]): Peer {
  return {
    name: `infinity-${engine}`,
    what: `infinity-emb with its engine ${engine}`,
    settings,
    start: (model, setting) => {
      const program = join(dirname(python('infinity')), 'infinity_emb');
      const dtype = setting === 'int8' ? 'int8' : 'float32';
      const compute = ['--engine', engine, '--device', 'cpu', '--dtype', dtype, '--no-bettertransformer'];
      // Without it, ONNX Runtime's vectors are those of the first token.
      const options = [...compute, '--pooling-method', 'mean'];
      return spawned({
        program,
        directory: engine === 'optimum' ? withGraphOnTop(model, setting) : model,
        args: (port) => ['v2', '--model-id', '.', '--served-model-name', name, ...options, ...listen(port)],
        environment: () => ({
          ...offline,
          HF_HOME: join(dirname(model), `optimized-${setting}`),
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
function withGraphOnTop(model: string, setting: string): string {
  const copy = `${model}-${setting}`;
  const isCopied = (path: string): boolean => !/safetensors$|[\\/]onnx$/.test(path);
  cpSync(model, copy, { recursive: true, filter: isCopied });
  cpSync(join(model, file(setting)), join(copy, basename(file(setting))));
  return copy;
}

/** A library behind FastAPI. Each setting names the graph, how many calls run at a time, and the threads of each. */
function library(
  library: 'fastembed' | 'openvino' | 'sentence-transformers',
  settings: Readonly<Record<string, readonly [graph: string, atATime: number, threads: number]>>,
): Peer {
  return {
    name: library,
    what: `${library} behind FastAPI`,
    settings: Object.keys(settings),
    start: (model, setting) => {
      const [graph, atATime, threads] = settings[setting]!;
      return spawned({
        program: python(library),
        args: (port) => [
          place('embed_server.py'),
          ...[library, model, graph, port, atATime, threads].map(String),
        ],
        environment: () => ({ ...offline, OMP_NUM_THREADS: String(threads) }),
        path: '/v1/embeddings',
        model: name,
      });
    },
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
