import type { EnvironmentReader, Fields } from '../lib/settings.ts';
import {
  builtinModel,
  environmentModel,
  environmentThreads,
  fileModel,
  type OnnxSettings,
} from './onnx/settings.ts';
import { environmentUpstream, fileUpstream, type UpstreamSettings } from './upstream/settings.ts';

export { convertedDtype } from './onnx/model-file.ts';
export { refuseOverrides } from './onnx/overrides.ts';
export { refuseUnknownModel } from './onnx/settings.ts';
export type { OnnxSettings };

/**
 * The configuration of one model, by the kind of its engine. A kind's settings and their names are in its own
 * directory; `open.ts` opens it.
 */
export type ModelSettings = OnnxSettings | UpstreamSettings;

/** The hub that models are pulled from. */
export interface HubAccess {
  /** An http or https URL without a trailing slash. */
  readonly endpoint: string;
  /** Access token for private or gated models. */
  readonly token: string | null;
}

/** Returns the readers of models' settings. Throws a ConfigError for an invalid setting, even if no model uses it. */
export function modelReaders(read: EnvironmentReader) {
  const threads = environmentThreads(read);
  return {
    /** Returns the model in the environment; null if there is none. */
    inEnvironment: (): ModelSettings | null => environmentUpstream(read) ?? environmentModel(read, threads),
    /** Returns the model that is served when none is configured. */
    standard: (): ModelSettings => builtinModel(read, threads),
    /** Returns one model of a settings file. `name` null: the engine's own name for it. */
    inFile(fields: Fields, name: string | null): ModelSettings {
      if (fields.has('upstream')) return fileUpstream(fields, name, read);
      return fileModel(fields, name, threads);
    },
  };
}
