import { ensureBuiltinModel } from './builtin/builtin.ts';
import type { Engine } from './engine.ts';
import { openOnnxEngine } from './onnx/onnx-engine.ts';
import type { ModelSettings } from './settings.ts';

export interface EngineContext {
  readonly dataDir: string;
  /** Is told what an operator should know of an engine's health. */
  readonly warn: (what: string) => void;
}

/** Opens the engines of all models, in order. When one fails the others are closed again, and its reason is thrown. */
export async function openEngines(
  models: readonly ModelSettings[],
  context: EngineContext,
): Promise<Engine[]> {
  const outcomes = await Promise.allSettled(models.map((settings) => openEngine(settings, context)));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  const engines = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  if (!failure) return engines;
  await Promise.all(engines.map((engine) => engine.close()));
  throw failure.reason;
}

/** The built-in model is verified before, or converted where that has not been done yet. */
async function openEngine(settings: ModelSettings, { dataDir, warn }: EngineContext): Promise<Engine> {
  if (settings.kind === 'upstream') {
    // Only for who has one: it takes a start longer.
    const { openUpstreamEngine } = await import('./upstream/upstream-engine.ts');
    return openUpstreamEngine(settings, warn);
  }
  const { name, directory, workers, threadsPerWorker, overrides } = settings;
  return openOnnxEngine({
    directory: directory ?? (await ensureBuiltinModel(dataDir)),
    name,
    workers,
    threadsPerWorker,
    overrides,
  });
}
