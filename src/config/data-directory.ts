import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateDirectory } from '../../packages/small/src/files.ts';
import { ConfigError } from '../../packages/small/src/settings.ts';
import { codeOf, messageOf } from '../errors.ts';

/**
 * Creates the data directory if it is missing. Throws a ConfigError if it can't be created, read or written, or if its
 * `models` is not a directory.
 */
export function makeDataDirectory(path: string): void {
  const unusable = (at: string, fault: string): ConfigError =>
    new ConfigError(`DATA_DIR: "${at.slice(0, 200)}" ${fault}; for example DATA_DIR=./data`);
  try {
    makePrivateDirectory(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (reason) {
    const isOther = ['ENOTDIR', 'EEXIST'].includes(codeOf(reason) ?? '');
    throw unusable(
      path,
      isOther ? 'is not a directory' : `can't be used: ${messageOf(reason).slice(0, 300)}`,
    );
  }
  const models = join(path, 'models');
  if (statSync(models, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw unusable(models, 'is not a directory');
  }
}
