import {
  type Alias,
  facts,
  isLanguage,
  refuseOverrides,
  variables,
} from '../../packages/engine/src/index.ts';
import {
  ConfigError,
  type Environment,
  type EnvironmentReader,
  type Fields,
  valid,
} from '../../packages/small/src/settings.ts';
import { type ModelSettings, modelReaders } from '../engines/settings.ts';
import { aliasExample, isName, notAName, readAliases } from './names.ts';
import { readerOf } from './secrets.ts';
import { settings } from './settings.ts';

const entryExample = 'model: all-MiniLM-L6-v2';
const example = `[{${entryExample}}]`;

/**
 * Returns the models to serve, the default first: the environment's model, then those of the settings file; if there
 * are none, the built-in one. The environment's model for reranking is the last. Throws a ConfigError at the first
 * invalid value.
 */
export function readModelSettings(read: EnvironmentReader, file: Fields | null): readonly ModelSettings[] {
  const models = modelReaders(read);
  const own = models.inEnvironment();
  const aliases = read.read(settings.model.aliases);
  const reranker = models.rerankerInEnvironment();
  const rerankers = reranker ? [reranker] : [];
  if (!file?.has('models')) {
    const all = [withAliases(own ?? models.standard(), aliases), ...rerankers];
    const twice = repeatedName(all);
    if (twice === undefined) return all;
    if (twice === reranker?.name)
      throw new ConfigError(
        `RERANK_MODEL: "${twice}" is the name of another model already; list both in EMBEDGATE_CONFIG with other names`,
      );
    throw new ConfigError(
      `EMBEDDING_MODEL_ALIASES: "${twice}" is a name already; for example ${aliasExample}`,
    );
  }
  if (!own) refuseOverrides(read, settings.model.aliases);
  const listed = fileModels(file, models.inFile);
  return distinct([...(own ? [withAliases(own, aliases)] : []), ...listed, ...rerankers], file);
}

function fileModels(file: Fields, readModel: ReturnType<typeof modelReaders>['inFile']): ModelSettings[] {
  const entries = file.entries('models', example, entryExample).map((fields) => {
    const isDefault = fields.flag('default');
    const model = readModel(fields, fields.read('name', valid(isName, notAName, 'docs')));
    const aliases = fields
      .texts('aliases', `[${aliasExample}]`)
      .flatMap((alias) => readAliases(alias, (fault) => fields.fail('aliases', fault, `[${aliasExample}]`)));
    const { license, ...lifecycle } = fields.all(facts);
    const { deprecated, sunset } = lifecycle;
    if (deprecated !== null && sunset !== null && sunset < deprecated)
      fields.fail('sunset', 'is before deprecated', deprecated);
    const languages = fields.texts('languages', '[en]');
    if (!languages.every(isLanguage))
      fields.fail('languages', 'has an entry that is not a BCP 47 code', '[en]');
    fields.end();
    const stated = { ...lifecycle, ...(license && { license }), ...(languages.length > 0 && { languages }) };
    return { isDefault, settings: withAliases({ ...model, facts: stated }, aliases) };
  });
  const defaults = entries.filter(({ isDefault }) => isDefault);
  if (defaults.length > 1) file.fail('models', 'has more than one default', example);
  return [...defaults, ...entries.filter(({ isDefault }) => !isDefault)].map(({ settings }) => settings);
}

function withAliases(settings: ModelSettings, aliases: readonly Alias[]): ModelSettings {
  return aliases.length === 0 ? settings : { ...settings, aliases };
}

function repeatedName(models: readonly ModelSettings[]): string | undefined {
  const names = models.flatMap(({ name, aliases = [] }) => [name, ...aliases.map((alias) => alias.name)]);
  return names.find((name, i) => names.indexOf(name) < i);
}

function distinct(models: readonly ModelSettings[], { file }: Fields): readonly ModelSettings[] {
  const twice = repeatedName(models);
  if (twice === undefined) return models;
  throw new ConfigError(`${file}: models: two are named "${twice}"; for example name: ${twice}-2`);
}

/** Reads `HF_ENDPOINT` and `HF_TOKEN`. Throws a ConfigError when either can't be used. */
export const readHubSettings = (environment: Environment) => readerOf(environment).all(variables.hub);
