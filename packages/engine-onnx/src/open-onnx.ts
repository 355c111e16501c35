import type { Engine } from '../../engine/src/index.ts';
import { messageOf } from '../../small/src/errors.ts';
import { filesOf, type ModelFilesContext } from './model-files.ts';
import { openOnnxEngine } from './onnx-engine.ts';
import type { OnnxSettings } from './settings.ts';
import type { WorkingMemory } from './working-memory.ts';

export interface OnnxContext extends ModelFilesContext {
  /** Logs problems with the engine's health. */
  readonly warn: (what: string) => void;
  /** Memory shared with other models. Default: memory for this model alone. */
  readonly memory?: WorkingMemory;
}

/**
 * Opens the engine of a model, after pulling and converting its files if needed. Throws one line that names the
 * model.
 */
export async function openOnnx(settings: OnnxSettings, context: OnnxContext): Promise<Engine> {
  const { memory, warn } = context;
  const files = await filesOf(settings, context);
  try {
    return await openOnnxEngine({ ...settings, ...files, memory, warn });
  } catch (reason) {
    throw new Error(`model ${settings.name}: ${messageOf(reason)}`, { cause: reason });
  }
}
