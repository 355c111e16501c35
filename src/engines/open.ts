import type { Engine } from '../../packages/engine/src/index.ts';
import {
  type KeepVectors,
  mayDifferOnlyInAddress,
  openUpstreamEngine,
  type UpstreamSettings,
} from '../../packages/engine-upstream/src/index.ts';
import { usableCores, usableMemoryBytes } from '../../packages/small/src/machine.ts';
import { messageOf } from '../errors.ts';
import { dtypeOf, filesOf, type ModelFilesContext } from './model-files.ts';
import { openOnnxEngine } from './onnx/onnx-engine.ts';
import type { OnnxSettings } from './onnx/settings.ts';
import type { ModelSettings } from './settings.ts';
import { bytesForModels } from './thread-plan.ts';
import { WorkingMemory } from './working-memory.ts';

export interface EngineContext extends ModelFilesContext {
  /** Keeps the vectors of an upstream's trial, to notice at a later start that its model has changed. */
  readonly keepVectors?: KeepVectors;
  /** Logs changes in an engine's health. */
  readonly warn: (what: string) => void;
  /** The memory that all models share. Default: what the machine has for models. */
  readonly memory?: WorkingMemory;
}

/** Opens the engines of all models, in order. If one fails, stops and closes the others, and throws its error. */
export async function openEngines(
  models: readonly ModelSettings[],
  context: EngineContext,
): Promise<Engine[]> {
  const machine = { cores: usableCores(), memoryBytes: usableMemoryBytes() };
  const { memory = new WorkingMemory(bytesForModels(machine)) } = context;
  const failure = new AbortController();
  const signal = AbortSignal.any([failure.signal, ...(context.signal ? [context.signal] : [])]);
  const opening = models.map((settings) => openEngine(settings, { ...context, signal, models, memory }));
  try {
    return await Promise.all(opening);
  } catch (reason) {
    failure.abort();
    const closing = opening.map((engine) => engine.then((opened) => opened.close()));
    await Promise.allSettled(closing);
    throw reason;
  }
}

type Opening = EngineContext & { readonly models: readonly ModelSettings[]; readonly memory: WorkingMemory };

function openEngine(settings: ModelSettings, context: Opening): Promise<Engine> {
  switch (settings.kind) {
    case 'onnx':
      return openOnnx(settings, context);
    case 'upstream':
      return openUpstream(settings, context);
  }
}

async function openOnnx(settings: OnnxSettings, context: Opening): Promise<Engine> {
  const { name, workers, threadsPerWorker } = settings;
  const { directory, overrides, facts } = await filesOf(settings, context);
  const dtype = dtypeOf(settings) ?? 'fp32';
  try {
    return await openOnnxEngine({
      directory,
      name,
      workers,
      threadsPerWorker,
      overrides,
      task: settings.task,
      dtype,
      facts,
      memory: context.memory,
      warn: context.warn,
    });
  } catch (reason) {
    throw new Error(`model ${name}: ${messageOf(reason)}`, { cause: reason });
  }
}

function openUpstream(
  settings: UpstreamSettings,
  { models, keepVectors, warn, signal }: Opening,
): Promise<Engine> {
  const isByAddress = models.some(
    (other) => other.kind === 'upstream' && mayDifferOnlyInAddress(settings, other),
  );
  return openUpstreamEngine(settings, warn, { isByAddress, keepVectors, signal });
}
