import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ranks from 'js-tiktoken/ranks/cl100k_base';
import { cacheDirectory, hashOf, installOnce, NotInstalled, pythonWith } from '../helpers/python.ts';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A program that runs the cases with some clients of its language. */
export interface Program {
  readonly language: string;
  readonly clients: readonly string[];
  /** Installs and compiles. Throws NotInstalled with the reason where that is impossible. */
  prepare(): Command;
}

const place = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const installDeadlineMs = 900_000;
const unreachable =
  /dial tcp|i\/o timeout|no such host|Could not resolve host|Couldn't connect|Unknown host|Connection refused|Connect timed out|Network is unreachable|E(AI_AGAIN|NOTFOUND|CONNREFUSED|TIMEDOUT|CONNECTIONTIMEOUT|HOSTUNREACH|NETUNREACH)/i;

const python = (folder: string): Command => ({
  command: pythonWith(place(`${folder}/requirements.txt`)),
  args: [place('python/clients.py')],
  cwd: place('python'),
  environment: {
    TIKTOKEN_CACHE_DIR: tokenizerFiles(),
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    HAYSTACK_TELEMETRY_ENABLED: 'False',
    PYTHONWARNINGS: 'ignore',
  },
});

const node: Command = {
  command: process.execPath,
  args: ['--no-warnings', 'clients.ts'],
  cwd: place('node'),
};

export const programs: Readonly<Record<string, Program>> = {
  node: {
    language: 'JavaScript',
    clients: ['openai', '@langchain/openai', 'langchain', 'ai', '@llamaindex/openai'],
    prepare() {
      install('npm', ['ci', '--ignore-scripts', '--fetch-retries=1'], node.cwd);
      const compiler = place('../../node_modules/typescript/bin/tsc');
      install(process.execPath, [compiler, '--noEmit', '-p', '.'], node.cwd);
      return node;
    },
  },
  curl: {
    language: 'Shell',
    clients: ['curl'],
    prepare() {
      install('curl', ['--version'], node.cwd);
      return node;
    },
  },
  python: {
    language: 'Python',
    clients: [
      ...['openai', 'openai, asynchronous', 'langchain-openai', 'llama-index-embeddings-openai'],
      ...['haystack-ai', 'chromadb', 'pymilvus', 'cohere', 'voyageai', 'ollama', 'huggingface_hub'],
    ],
    prepare: () => python('python'),
  },
  // It needs an older version of openai than the others.
  litellm: { language: 'Python', clients: ['litellm'], prepare: () => python('python/litellm') },
  go: {
    language: 'Go',
    clients: ['openai/openai-go', 'sashabaranov/go-openai'],
    prepare() {
      const folder = place('go');
      const built = join(
        cacheDirectory('go', hashOf(['go.mod', 'go.sum', 'main.go'].map((name) => join(folder, name)))),
        'clients',
      );
      installOnce(join(built, '..'), () => install('go', ['build', '-o', built, '.'], folder));
      return { command: built, args: [], cwd: folder };
    },
  },
  rust: {
    language: 'Rust',
    clients: ['async-openai'],
    prepare() {
      const folder = place('rust');
      const target = cacheDirectory('rust', hashOf([join(folder, 'Cargo.lock')]));
      mkdirSync(target, { recursive: true });
      install('cargo', ['build', '--quiet', '--locked', '--target-dir', target], folder);
      return { command: join(target, 'debug', 'clients'), args: [], cwd: folder };
    },
  },
  java: {
    language: 'Java',
    clients: ['openai-java', 'langchain4j-open-ai'],
    prepare() {
      const folder = place('java');
      const jars = cacheDirectory('java', hashOf([join(folder, 'pom.xml')]));
      const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
      installOnce(jars, () => install('mvn', ['-B', '-q', goal, `-DoutputDirectory=${jars}`], folder));
      return { command: 'java', args: ['-cp', join(jars, '*'), 'Clients.java'], cwd: folder };
    },
  },
};

/** Runs a step of an installation. Throws NotInstalled if its program or a package registry is absent. */
export function install(command: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: installDeadlineMs,
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    throw new NotInstalled(`${command} is not installed`);
  const output = `${stdout}${stderr}`;
  const [reason] = unreachable.exec(output) ?? [];
  if (reason) throw new NotInstalled(`no package registry can be reached (${reason})`);
  throw new Error(`${command} failed: ${error?.message ?? output.trim().slice(-2_000)}`);
}

/** Returns a directory with the tokens of OpenAI's models, which LangChain would download, under the name of their address. */
function tokenizerFiles(): string {
  const folder = cacheDirectory('tiktoken');
  const address = 'https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken';
  const file = join(folder, createHash('sha1').update(address).digest('hex'));
  if (existsSync(file)) return folder;
  const lines = ranks.bpe_ranks.split('\n').flatMap((line) => {
    const [, first, ...tokens] = line.split(' ');
    return tokens.map((token, i) => `${token} ${Number(first) + i}\n`);
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, lines.join(''));
  return folder;
}
