import { type Engine, sampleFor } from '../../../packages/engine/src/index.ts';
import { type OnnxSettings, plansFor, type ThreadPlan } from '../../../packages/engine-onnx/src/index.ts';
import { usableCores } from '../../../packages/small/src/machine.ts';
import { Batcher } from '../../embeddings/batcher.ts';
import { type EngineContext, openEngines } from '../../engines/open.ts';
import { systemClock } from '../../lib/clock.ts';

interface TunedPlan extends ThreadPlan {
  /** Measured with sample texts of 1 to 120 words. */
  readonly textsPerSecond: number;
  /** What computed them. */
  readonly runtime: string;
}

interface Tuning {
  /** The type of the model's weights. */
  readonly dtype: string;
  readonly plans: readonly TunedPlan[];
  readonly best: TunedPlan;
}

/** Number of concurrent requests per core that keeps every worker busy. */
const clientsPerCore = 16;

/**
 * Computes sample texts with every even distribution of the cores over workers and threads, and returns which is
 * fastest on this machine. Each one is measured for `seconds`, after a warm-up of half that time. `onProgress` receives
 * the number of distributions done.
 */
export async function tune(
  settings: OnnxSettings,
  context: EngineContext,
  { seconds, onProgress }: { seconds: number; onProgress: (done: number, total: number) => void },
): Promise<Tuning> {
  const cores = usableCores();
  const plans = plansFor(cores);
  const tuned: TunedPlan[] = [];
  let dtype = '';
  onProgress(0, plans.length);
  for (const plan of plans) {
    const [engine] = await openEngines([{ ...settings, ...plan }], context);
    try {
      const rate = (forSeconds: number) => textsPerSecond(engine!, cores * clientsPerCore, forSeconds);
      await rate(seconds / 2);
      const runtime = String(engine!.settings.runtime);
      dtype = String(engine!.model.dtype);
      tuned.push({ ...plan, textsPerSecond: await rate(seconds), runtime });
    } finally {
      await engine!.close();
    }
    onProgress(tuned.length, plans.length);
  }
  const best = tuned.reduce((a, b) => (b.textsPerSecond > a.textsPerSecond ? b : a));
  return { dtype, plans: tuned, best };
}

const organization = { id: 'only', weight: 1 };

/** Measures the rate with `clients` that each send one text after another. */
async function textsPerSecond(engine: Engine, clients: number, seconds: number): Promise<number> {
  const batcher = new Batcher(engine, systemClock);
  const next = sampleTexts();
  const beganMs = performance.now();
  const endMs = beganMs + seconds * 1_000;
  let done = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const prepared = await batcher.prepare([sampleFor(engine.model, next())], {
        organization,
        inputType: 'document',
        truncate: true,
      });
      await batcher.compute(prepared, { organization });
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (done * 1_000) / (performance.now() - beganMs);
}

const words = (
  'the of and a to in is you that it he was for on are as with his they at be this have from or one had by ' +
  'word but not what ' +
  'all were we when your can said there use an each which she do how their if will up other about out many ' +
  'then them these so ' +
  'some her would make like him into time has look two more write go see number no way could people my than ' +
  'first water been ' +
  'call who oil its now find long down day did get come made may part'
).split(' ');
const shortest = 1;
const longest = 120;
/** Coprime to the number of lengths, and large enough that consecutive lengths differ widely. */
const stride = 37;

/**
 * Returns a generator of texts of 1 to 120 English words in random order. Each length is equally frequent, and each run
 * yields the same texts.
 */
function sampleTexts(): () => string {
  let state = 1;
  let next = 0;
  // A linear congruential generator (Numerical Recipes).
  const word = (): string => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return words[Math.floor((state / 2 ** 32) * words.length)]!;
  };
  return () => {
    const length = shortest + ((next++ * stride) % (longest - shortest + 1));
    return Array.from({ length }, word).join(' ');
  };
}
