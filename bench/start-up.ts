import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { spawnEmbedgate } from '../test/helpers/embedgate.ts';
import { freePort } from '../test/helpers/free-port.ts';
import { builtinInt8 } from '../test/helpers/model-directory.ts';
import { type Benchmark, type Measurement, median } from './benchmark.ts';

const rounds = 9;
const pollMs = 2;

export const startUp: Benchmark = {
  name: 'start-up',
  what: 'start to /ready, model converted before, ms',
  bound: { atMost: 1_500 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  using directory = temporaryDirectory();
  const modelFile = join(await builtinInt8(directory.path), 'onnx', 'model.onnx');
  const pairs: { startMs: number; loadMs: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ loadMs: sessionLoadMs(modelFile), startMs: await startMs(directory.path) });
  }
  // The first start creates the keys and the organization, and fills the compile cache.
  const later = pairs.slice(1);
  const load = median(later.map((pair) => pair.loadMs));
  return {
    value: median(later.map((pair) => pair.startMs)),
    details: `loading the ONNX session alone: ${load.toFixed(0)} ms`,
  };
}

/** From the process's start to the first 200 of /ready. */
async function startMs(dataDir: string): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const service = spawnEmbedgate(['serve'], { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' });
  while (!(await isReady(port))) await setTimeout(pollMs);
  const tookMs = performance.now() - began;
  service.kill('SIGTERM');
  await service.exited;
  return tookMs;
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/ready`)).ok;
  } catch {
    return false;
  }
}

/** In a fresh process, the time of `InferenceSession.create` with the runtime's module loaded. */
function sessionLoadMs(modelFile: string): number {
  const script = fileURLToPath(new URL('session-load.ts', import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, modelFile], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}
