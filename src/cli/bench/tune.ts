import { Batcher } from '../../embeddings/batcher.ts';
import type { Engine } from '../../embeddings/engines/engine.ts';
import { type EngineContext, openEngines } from '../../embeddings/engines/open.ts';
import type { OnnxSettings } from '../../embeddings/engines/settings.ts';
import { plansFor, type ThreadPlan } from '../../embeddings/engines/thread-plan.ts';
import { systemClock } from '../../lib/clock.ts';
import { usableCores } from '../../lib/machine.ts';
import { sampleTexts } from './sample-texts.ts';

export interface TunedPlan extends ThreadPlan {
  /** Of the sample: 1 to 120 words a text. */
  readonly textsPerSecond: number;
}

export interface Tuning {
  readonly plans: readonly TunedPlan[];
  readonly best: TunedPlan;
}

/** As many requests at a time as keep every worker busy. */
const clientsPerCore = 16;

/**
 * Computes sample texts with every even spread of the cores over workers and threads, for `seconds` each after half as long
 * to warm up, and answers which is the fastest here. `onProgress` is told how many spreads are done.
 */
export async function tune(
  settings: OnnxSettings,
  context: EngineContext,
  { seconds, onProgress }: { seconds: number; onProgress: (done: number, total: number) => void },
): Promise<Tuning> {
  const cores = usableCores();
  const plans = plansFor(cores);
  const tuned: TunedPlan[] = [];
  onProgress(0, plans.length);
  for (const plan of plans) {
    const [engine] = await openEngines([{ ...settings, ...plan }], context);
    try {
      const rate = (duration: number) => textsPerSecond(engine!, cores * clientsPerCore, duration);
      await rate(seconds / 2);
      tuned.push({ ...plan, textsPerSecond: await rate(seconds) });
    } finally {
      await engine!.close();
    }
    onProgress(tuned.length, plans.length);
  }
  const best = tuned.reduce((a, b) => (b.textsPerSecond > a.textsPerSecond ? b : a));
  return { plans: tuned, best };
}

/** With `clients` that send one text after the other. */
async function textsPerSecond(engine: Engine, clients: number, seconds: number): Promise<number> {
  const batcher = new Batcher(engine, systemClock);
  const next = sampleTexts();
  const beganMs = performance.now();
  const endMs = beganMs + seconds * 1_000;
  let done = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < endMs) {
      await batcher.embed([next()], { inputType: 'document', truncate: true });
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (done * 1_000) / (performance.now() - beganMs);
}
