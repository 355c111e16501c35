import type { EnvironmentReader, Fields } from '../../lib/settings.ts';
import { builtinModel, environmentModel, fileModel, type OnnxSettings } from './onnx/settings.ts';
import { environmentUpstream, fileUpstream, type UpstreamSettings } from './upstream/settings.ts';

export { refuseOverrides } from './onnx/overrides.ts';
export type { OnnxSettings };

/** The configuration of one model, by the kind of its engine. A kind's settings and their names are in its own directory; `open.ts` opens it. */
export type ModelSettings = OnnxSettings | UpstreamSettings;

/** The hub that models are pulled from. */
export interface HubAccess {
  /** An http or https URL without a trailing slash. */
  readonly endpoint: string;
  /** Access token for private or gated models. */
  readonly token: string | null;
}

/** Returns the model in the environment; null if there is none. Throws a ConfigError. */
export function readEnvironmentModel(read: EnvironmentReader): ModelSettings | null {
  return environmentUpstream(read) ?? environmentModel(read);
}

/** Returns the model that is served when none is configured. Throws a ConfigError. */
export function readDefaultModel(read: EnvironmentReader): ModelSettings {
  return builtinModel(read);
}

/** Returns one model of a settings file. `name` null: the engine's own name for it. Throws a ConfigError. */
export function readFileModel(fields: Fields, name: string | null, read: EnvironmentReader): ModelSettings {
  if (fields.has('upstream')) return fileUpstream(fields, name, read);
  return fileModel(fields, name, read);
}
