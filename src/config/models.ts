import { type HubAccess, type ModelSettings, modelReaders, refuseOverrides } from '../engines/settings.ts';
import {
  ConfigError,
  type EnvironmentReader,
  type Fields,
  isHeaderValue,
  notAHeaderValue,
} from '../lib/settings.ts';
import { type Environment, withSecretFiles } from './secrets.ts';

const maxNameLength = 200;
const aliasExample = 'text-embedding-3-small';
const entryExample = 'model: universal-sentence-encoder-lite';
const example = `[{${entryExample}}]`;

/**
 * Returns the models to serve, the default first: the environment's model, then those of the settings file; if there
 * are none, the built-in one. Throws a ConfigError at the first invalid value.
 */
export function readModelSettings(read: EnvironmentReader, file: Fields | null): readonly ModelSettings[] {
  const models = modelReaders(read);
  const own = models.inEnvironment();
  const aliases = environmentAliases(read);
  if (!file?.has('models')) return [withAliases(own ?? models.standard(), aliases)];
  if (!own) refuseOverrides(read);
  const listed = fileModels(file, models.inFile);
  return distinct(own ? [withAliases(own, aliases), ...listed] : listed, file);
}

function fileModels(file: Fields, readModel: ReturnType<typeof modelReaders>['inFile']): ModelSettings[] {
  const entries = file.entries('models', example, entryExample).map((fields) => {
    const isDefault = fields.flag('default');
    const settings = readModel(fields, modelName(fields));
    const aliases = fields.texts('aliases', `[${aliasExample}]`).map((alias) => {
      if (isName(alias)) return alias;
      return fields.fail('aliases', notAName, `[${aliasExample}]`);
    });
    fields.end();
    return { isDefault, settings: withAliases(settings, aliases) };
  });
  const defaults = entries.filter(({ isDefault }) => isDefault);
  if (defaults.length > 1) file.fail('models', 'has more than one default', example);
  return [...defaults, ...entries.filter(({ isDefault }) => !isDefault)].map(({ settings }) => settings);
}

function modelName(fields: Fields): string | null {
  const name = fields.text('name', 'docs');
  return name === null || isName(name) ? name : fields.fail('name', notAName, 'docs');
}

/** Reads the other names of the environment's model or the built-in one. */
function environmentAliases(read: EnvironmentReader): readonly string[] {
  const aliases = (read.text('EMBEDDING_MODEL_ALIASES') ?? '').split(',').map((alias) => alias.trim());
  return aliases.filter(Boolean).map((alias) => {
    if (isName(alias)) return alias;
    throw new ConfigError(
      `EMBEDDING_MODEL_ALIASES: one ${notAName}; for example EMBEDDING_MODEL_ALIASES=${aliasExample}`,
    );
  });
}

const notAName = `is empty, is longer than ${maxNameLength} characters, or has unprintable characters`;

function isName(text: string): boolean {
  return text !== '' && text.length <= maxNameLength && !/\p{Cc}/u.test(text);
}

function withAliases(settings: ModelSettings, aliases: readonly string[]): ModelSettings {
  return aliases.length === 0 ? settings : { ...settings, aliases };
}

function distinct(models: readonly ModelSettings[], { file }: Fields): readonly ModelSettings[] {
  const names = models.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice === undefined) return models;
  throw new ConfigError(`${file}: models: two are named "${twice}"; for example name: ${twice}-2`);
}

const defaultEndpoint = 'https://huggingface.co';

/** Reads `HF_ENDPOINT` and `HF_TOKEN`. Throws a ConfigError when either can't be used. */
export function readHubSettings(given: Environment): HubAccess {
  const environment = withSecretFiles(given);
  const value = environment.HF_ENDPOINT?.trim() || defaultEndpoint;
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new ConfigError(
      `HF_ENDPOINT: "${value}" is not an http address; for example HF_ENDPOINT=${defaultEndpoint}`,
    );
  }
  return { endpoint: value.replace(/\/+$/, ''), token: token(environment.HF_TOKEN) };
}

/** Returns the token. It is a secret, so no error repeats it; fetch would repeat one that no header can hold. */
function token(value: string | undefined): string | null {
  const text = value?.trim() || null;
  if (text === null || isHeaderValue(text)) return text;
  throw new ConfigError(`HF_TOKEN: ${notAHeaderValue}; for example HF_TOKEN=hf_…`);
}
