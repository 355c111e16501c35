import { variables } from '../../packages/engine/src/index.ts';
import {
  builtinModel,
  environmentCrossEncoder,
  environmentModel,
  fileModel,
  type OnnxSettings,
} from '../../packages/engine-onnx/src/index.ts';
import {
  environmentReranker,
  environmentUpstream,
  fileUpstream,
  type UpstreamSettings,
} from '../../packages/engine-upstream/src/index.ts';
import type { EnvironmentReader, Fields } from '../../packages/small/src/settings.ts';

/**
 * The configuration of one model, by the kind of its engine. A kind's settings are in its own package, and their names in
 * `packages/engine/src/variables.ts`; `open.ts` opens it.
 */
export type ModelSettings = OnnxSettings | UpstreamSettings;

/** Returns the readers of models' settings. Throws a ConfigError for an invalid setting, even if no model uses it. */
export function modelReaders(read: EnvironmentReader) {
  const threads = read.all(variables.threads);
  return {
    /** Returns the model in the environment; null if there is none. */
    inEnvironment: (): ModelSettings | null => environmentUpstream(read) ?? environmentModel(read, threads),
    /** Returns the model for reranking in the environment; null if there is none. */
    rerankerInEnvironment: (): ModelSettings | null =>
      environmentReranker(read) ?? environmentCrossEncoder(read, threads),
    /** Returns the model that is served when none is configured. */
    standard: (): ModelSettings => builtinModel(read, threads),
    /** Returns one model of a settings file. `name` null: the engine's own name for it. */
    inFile(fields: Fields, name: string | null): ModelSettings {
      if (fields.has('upstream')) return fileUpstream(fields, name, read);
      return fileModel(fields, name, threads);
    },
  };
}
