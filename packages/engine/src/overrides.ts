import {
  type EnvironmentReader,
  type Fields,
  refuse,
  type Setting,
  type SettingValues,
} from '../../small/src/settings.ts';
import * as variables from './variables.ts';

type Overrides = SettingValues<typeof variables.overrides>;

/** Settings that replace missing or wrong information in a model's files. */
export type ModelOverrides = { readonly [F in keyof Overrides]?: NonNullable<Overrides[F]> | undefined };

/** Reads the environment variables that override the files of the environment's model. */
export const environmentOverrides = (read: EnvironmentReader): ModelOverrides =>
  present(read.all(variables.overrides));

/** Reads the fields that override the files of a model in a settings file. */
export const fileOverrides = (fields: Fields): ModelOverrides => present(fields.all(variables.overrides));

/**
 * Throws a ConfigError if an override or `more` is set but the environment names no model. Models in a settings file have
 * their own fields.
 */
export function refuseOverrides(read: EnvironmentReader, ...more: Setting<unknown>[]): void {
  const all = [...Object.values(variables.overrides), ...more];
  const set = all.find(({ name }) => read.exactText(name))?.name;
  if (set === undefined) return;
  refuse(set, 'applies to the model that EMBEDDING_MODEL names, not to those in EMBEDGATE_CONFIG', '');
}

function present(overrides: Overrides): ModelOverrides {
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== null));
}
