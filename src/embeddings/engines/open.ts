import { basename } from 'node:path';
import { builtinModelName, ensureBuiltinModel } from './builtin/builtin.ts';
import type { Engine } from './engine.ts';
import { openOnnxEngine } from './onnx/onnx-engine.ts';

export interface EngineSettings {
  readonly dataDir: string;
  /** A directory with an ONNX model; null: the built-in one. */
  readonly modelDirectory: string | null;
  readonly workers: number;
  readonly threadsPerWorker: number;
}

/** Opens the engine; the built-in model is verified before, or converted where that has not been done yet. */
export async function openEngine(settings: EngineSettings): Promise<Engine> {
  const { dataDir, modelDirectory, workers, threadsPerWorker } = settings;
  return openOnnxEngine({
    directory: modelDirectory ?? (await ensureBuiltinModel(dataDir)),
    name: modelDirectory === null ? builtinModelName : basename(modelDirectory),
    workers,
    threadsPerWorker,
  });
}
