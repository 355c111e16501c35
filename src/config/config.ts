import { resolve } from 'node:path';
import { variables } from '../../packages/engine/src/index.ts';
import {
  ConfigError,
  type Environment,
  type EnvironmentReader,
  refuse,
  type Setting,
  type SettingValues,
} from '../../packages/small/src/settings.ts';
import { areClose } from '../lib/close-names.ts';
import { missing, readDashboardSettings } from './dashboard.ts';
import { formerNames, withPresentNames } from './former-names.ts';
import { readModelSettings } from './models.ts';
import { readPrices } from './prices.ts';
import { readerOf } from './secrets.ts';
import { sections, settings } from './settings.ts';
import { readSettingsFile } from './settings-file.ts';
import { readTiers } from './tiers.ts';

export { ConfigError };

const { service, database, secrets, cache, files, bucket, bounds } = settings;
export type Bounds = Omit<SettingValues<typeof settings.bounds>, 'maxKeysPerOrganization'>;

/** All settings of the service, read once from the environment and the settings file. */
export type Config = ReturnType<typeof readConfig>;

/** Throws a ConfigError at the first invalid value. An empty value counts as unset, except for prompts. */
export function readConfig(given: Environment, former = formerNames) {
  const { environment, renamed } = withPresentNames(given, former);
  const read = readerOf(environment);
  const { file: path, defaultTier, ...own } = read.all(service);
  const { maxKeysPerOrganization, ...allBounds } = read.all(bounds);
  const file = path === null ? null : readSettingsFile(path);
  const models = readModelSettings(read, file);
  const config = Object.freeze({
    ...own,
    ...read.all(secrets),
    ...read.all(cache),
    maxKeysPerOrganization,
    /** The bounds of an organization's files and batches. */
    files: read.all(files),
    /** What keeps the files; null: `dataDir`, or Postgres. */
    bucket: bucketOf(read),
    ...readDashboardSettings(read, own.publicUrl, file),
    dataDir: resolve(own.dataDir),
    /** The database that replicas share; null: SQLite in `dataDir`. */
    postgres: postgres(read),
    hub: read.all(variables.hub),
    /** One or more models to serve, the default first. */
    models,
    prices: readPrices(file, models),
    tiers: readTiers(defaultTier, file),
    bounds: Object.freeze(allBounds),
    misspelled: misspelled(
      Object.keys(environment).filter((name) => !(name.replace(/_FILE$/, '') in former)),
    ),
    renamed,
  });
  file?.end();
  for (const [other, ...ones] of needed)
    for (const one of ones)
      if (read.read(one) !== one.unset && read.text(other.name) === null) missing(other, one);
  return config;
}

/** Settings without which the others of their line do nothing. */
const needed: readonly (readonly [Setting<unknown>, ...Setting<unknown>[]])[] = [
  [database.url, database.listenUrl, database.poolSize],
  [settings.accounts.mailUrl, settings.accounts.mailFrom],
  [settings.signIn.issuer, settings.signIn.name, settings.signIn.trustsEmail],
  [settings.upstream.urls, settings.upstream.encoding],
];

function postgres(read: EnvironmentReader) {
  const { url, ...others } = read.all(database);
  if (url === null) return null;
  for (const { name, example } of Object.values(secrets)) {
    if (read.text(name) === null)
      refuse(name, 'is required with DATABASE_URL, and must be the same for every replica', example);
  }
  return Object.freeze({ url, ...others });
}

function bucketOf(read: EnvironmentReader) {
  const { url: address, ...access } = bucket;
  const url = read.read(address);
  // Machines have the other variables for other programs too.
  if (url === null) return null;
  const { accessKeyId, secretAccessKey, ...others } = read.all(access);
  const missing = 'is required with FILES_URL';
  if (accessKeyId === null) refuse('AWS_ACCESS_KEY_ID', missing, bucket.accessKeyId.example);
  if (secretAccessKey === null) refuse('AWS_SECRET_ACCESS_KEY', missing, bucket.secretAccessKey.example);
  return Object.freeze({ url, accessKeyId, secretAccessKey, ...others });
}

/** Shorter names, such as HOST, resemble the names of other programs' variables. */
const minLength = 6;

const names = sections.flat().flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name]));

/** Returns the variables that are not settings but nearly have the name of one, with that name. */
function misspelled(variables: readonly string[]): { readonly variable: string; readonly setting: string }[] {
  return variables.flatMap((variable) => {
    if (names.includes(variable)) return [];
    const setting = names.find(
      (name) =>
        stemOf(variable) === stemOf(name) || (name.length >= minLength && areClose(variable, name, 2)),
    );
    return setting === undefined ? [] : [{ variable, setting }];
  });
}

/** Without our own prefix, unless Kubernetes makes such names for a service, and in the singular. */
const stemOf = (name: string): string => name.replace(/^EMBEDGATE_(?=.*_)/, '').replace(/(IES|Y|S)$/, '');
