/** Gateways that pass requests on to an upstream. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDirectory } from '../../test/helpers/cache.ts';
import { installOnce } from '../../test/helpers/install-once.ts';
import { hashOf, pythonWith } from '../../test/helpers/python.ts';
import { startEmbedgate } from './embedgate.ts';
import { type Server, spawned } from './spawned.ts';

export interface Gateway {
  readonly name: string;
  readonly what: string;
  /** Installs it on first use, and starts it in front of the upstream. `directory` is empty and its own. */
  start(upstream: string, directory: string): Promise<Server>;
}

const place = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const masterKey = 'sk-measured';
const installDeadlineMs = 300_000;
/** Never in the cache, because each text is sent once. */
const model = 'measured';

export const embedgateGateway: Gateway = {
  name: 'embedgate',
  what: 'Embedgate, with a key and an exact quota',
  start: (upstream, directory) =>
    startEmbedgate(directory, { EMBEDDING_UPSTREAM_URL: `${upstream}/v1`, EMBEDDING_MODEL: model }, model),
};

export const gateways: readonly Gateway[] = [litellm(1), litellm(2), portkey()];

function litellm(workers: number): Gateway {
  return {
    name: `litellm-${workers}`,
    what: `LiteLLM's proxy with ${workers} ${workers === 1 ? 'worker' : 'workers'} and its master key, without budgets`,
    start: (upstream, directory) => {
      const python = pythonWith(place('litellm/requirements.txt'));
      const config = join(directory, 'config.yaml');
      writeFileSync(config, JSON.stringify(litellmConfig(upstream)));
      const options = ['--host', '127.0.0.1', '--num_workers', String(workers), '--telemetry', 'False'];
      return spawned({
        program: join(dirname(python), 'litellm'),
        args: (port) => ['--config', config, '--port', String(port), ...options],
        // Its price list and its version check would be requests to other hosts.
        environment: () => ({
          LITELLM_LOCAL_MODEL_COST_MAP: 'True',
          LITELLM_LOG: 'ERROR',
          LITELLM_MODE: 'PRODUCTION',
        }),
        path: '/v1/embeddings',
        headers: { authorization: `Bearer ${masterKey}` },
        model,
      });
    },
  };
}

/** JSON is YAML. As LiteLLM's documentation recommends for production: no verbose logs, no retries. */
function litellmConfig(upstream: string): object {
  return {
    model_list: [
      {
        model_name: model,
        litellm_params: { model: `openai/${model}`, api_base: `${upstream}/v1`, api_key: 'unused' },
      },
    ],
    general_settings: { master_key: masterKey },
    litellm_settings: {
      set_verbose: false,
      json_logs: true,
      num_retries: 0,
      drop_params: true,
      telemetry: false,
    },
  };
}

function portkey(): Gateway {
  return {
    name: 'portkey',
    what: 'Portkey’s gateway, which checks no keys and has no budgets',
    start: (upstream) =>
      spawned({
        program: process.execPath,
        args: (port) => [portkeyScript(), '--headless', `--port=${port}`],
        environment: () => ({ NODE_ENV: 'production' }),
        path: '/v1/embeddings',
        headers: {
          authorization: 'Bearer unused',
          'x-portkey-provider': 'openai',
          'x-portkey-custom-host': `${upstream}/v1`,
        },
        model,
      }),
  };
}

function portkeyScript(): string {
  const file = place('portkey/package.json');
  const folder = cacheDirectory('npm', hashOf([file]));
  installOnce(folder, () => {
    copyFileSync(file, join(folder, 'package.json'));
    const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { status } = spawnSync('npm', options, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: installDeadlineMs,
    });
    if (status !== 0) throw new Error('Portkey’s gateway could not be installed');
  });
  return join(folder, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js');
}
