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

/** Answers the model's directory; the built-in model is verified, or converted where that has not been done yet. */
export async function prepareModel({ dataDir, modelDirectory }: EngineSettings): Promise<string> {
  return modelDirectory ?? ensureBuiltinModel(dataDir);
}

/** Opens the engine on a directory that `prepareModel` answered. Its threads start before this returns. */
export function openEngine(settings: EngineSettings, directory: string): Promise<Engine> {
  const { modelDirectory, workers, threadsPerWorker } = settings;
  return openOnnxEngine({
    directory,
    name: modelDirectory === null ? builtinModelName : basename(modelDirectory),
    workers,
    threadsPerWorker,
  });
}
