import type { Engine } from '../../packages/engine/src/index.ts';
import { memoryForModels, type OnnxContext, openOnnx } from '../../packages/engine-onnx/src/index.ts';
import {
  type KeepVectors,
  mayDifferOnlyInAddress,
  openUpstreamEngine,
  type UpstreamSettings,
} from '../../packages/engine-upstream/src/index.ts';
import type { ModelSettings } from './settings.ts';

export interface EngineContext extends OnnxContext {
  /** Keeps the vectors of an upstream's trial, to notice at a later start that its model has changed. */
  readonly keepVectors?: KeepVectors;
}

/** Opens the engines of all models, in order. If one fails, stops and closes the others, and throws its error. */
export async function openEngines(
  models: readonly ModelSettings[],
  context: EngineContext,
): Promise<Engine[]> {
  const failure = new AbortController();
  const signal = AbortSignal.any([failure.signal, ...(context.signal ? [context.signal] : [])]);
  const memory = memoryForModels();
  const opening = models.map((settings) => openEngine(settings, { memory, ...context, signal, models }));
  try {
    return await Promise.all(opening);
  } catch (reason) {
    failure.abort();
    const closing = opening.map((engine) => engine.then((opened) => opened.close()));
    await Promise.allSettled(closing);
    throw reason;
  }
}

type Opening = EngineContext & { readonly models: readonly ModelSettings[] };

function openEngine(settings: ModelSettings, context: Opening): Promise<Engine> {
  switch (settings.kind) {
    case 'onnx':
      return openOnnx(settings, context);
    case 'upstream':
      return openUpstream(settings, context);
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
