import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../helpers/directory.ts';
import { NotInstalled, pythonWith } from '../helpers/python.ts';
import { postEmbeddings } from '../helpers/requests.ts';
import { startService } from '../helpers/service.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { install } from './programs.ts';

type Command = readonly [command: string, ...args: string[]];

interface Generator {
  /** The folder with the program that uses the client, and with the generator's version. */
  readonly folder: string;
  /** What generates the client, in the folder `client`, and compiles it with the program. */
  readonly steps: () => readonly Command[];
  /** Runs the program, which prints the vector of `TEXT`. */
  readonly run: () => Command;
}

const place = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const description = place('../../docs/openapi.json');
const text = 'How do I reset my password?';
const deadlineMs = 300_000;
const npm = ['npm', 'ci', '--ignore-scripts', '--fetch-retries=1'] as const;
const types = place('../../node_modules/@types');
const python = () => pythonWith(place('generated/python/requirements.txt'));
const maven = ['mvn', '-B', '-q', `-Ddescription=${description}`] as const;

const generators: Readonly<Record<string, Generator>> = {
  '@hey-api/openapi-ts': {
    folder: 'node',
    steps: () => [
      npm,
      [process.execPath, 'node_modules/@hey-api/openapi-ts/bin/run.js', '-i', description, '-o', 'client'],
      [process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.', '--typeRoots', types],
    ],
    run: () => [process.execPath, 'out/embed.js'],
  },
  'openapi-python-client': {
    folder: 'python',
    steps: () => [
      [
        ...([python(), '-m', 'openapi_python_client', 'generate', '--path', description] as const),
        ...['--meta', 'none', '--output-path', 'client', '--overwrite'],
      ],
      [python(), '-m', 'compileall', '-q', 'client'],
    ],
    run: () => [python(), 'embed.py'],
  },
  'oapi-codegen': {
    folder: 'go',
    steps: () => [
      [
        ...(['go', 'tool', 'oapi-codegen', '-generate', 'types,client', '-package', 'client'] as const),
        ...['-o', 'client/client.go', description],
      ],
      ['go', 'build', '-o', 'embed', '.'],
    ],
    run: () => ['./embed'],
  },
  'openapi-generator': {
    folder: 'java',
    steps: () => [[...maven, 'compile']],
    run: () => [...maven, 'exec:java', '-Dexec.mainClass=Embed'],
  },
};

describe('clients generated from docs/openapi.json', async () => {
  const service = untilEnd(await startService());
  const response = await postEmbeddings(service.address, service.key, { input: text });
  const { data } = (await response.json()) as { data: [{ embedding: number[] }] };

  for (const [name, { folder, steps, run }] of Object.entries(generators)) {
    it(`that of ${name} compiles, and embeds a text`, async (test) => {
      using directory = temporaryDirectory();
      const cwd = join(directory.path, folder);
      cpSync(place(`generated/${folder}`), cwd, { recursive: true });
      mkdirSync(join(cwd, 'client'));
      try {
        for (const [command, ...args] of steps()) install(command, args, cwd);
      } catch (reason) {
        if (reason instanceof NotInstalled) return test.skip(reason.message);
        throw reason;
      }
      const [command, ...args] = run();
      const { stdout } = await promisify(execFile)(command, args, {
        cwd,
        timeout: deadlineMs,
        env: { ...process.env, BASE_URL: service.address, KEY: service.key, TEXT: text },
      });
      const vector = JSON.parse(/\[[-+\d.,eE ]+\]/.exec(stdout)?.[0] ?? '') as number[];
      assert.deepEqual(vector.map(Math.fround), data[0].embedding.map(Math.fround));
    });
  }
});
