import { ensureBuiltinModel } from './builtin/builtin.ts';
import type { Engine } from './engine.ts';
import { openOnnxEngine } from './onnx/onnx-engine.ts';
import type { ModelSettings } from './settings.ts';

/** Opens the engines of all models, in order. When one fails the others are closed again, and its reason is thrown. */
export async function openEngines(models: readonly ModelSettings[], dataDir: string): Promise<Engine[]> {
  const outcomes = await Promise.allSettled(models.map((settings) => openEngine(settings, dataDir)));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  const engines = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  if (!failure) return engines;
  await Promise.all(engines.map((engine) => engine.close()));
  throw failure.reason;
}

/** The built-in model is verified before, or converted where that has not been done yet. */
async function openEngine(
  { name, directory, workers, threadsPerWorker }: ModelSettings,
  dataDir: string,
): Promise<Engine> {
  return openOnnxEngine({
    directory: directory ?? (await ensureBuiltinModel(dataDir)),
    name,
    workers,
    threadsPerWorker,
  });
}
