import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from './config-error.ts';

/** Makes the data directory where there is none. Throws a ConfigError when that can't be done, or when the directory can't be written to. */
export function makeDataDirectory(path: string): void {
  const unusable = (at: string, fault: string): ConfigError =>
    new ConfigError(`DATA_DIR: "${at.slice(0, 200)}" ${fault}; for example DATA_DIR=./data`);
  try {
    make(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (reason) {
    const { code, message } = reason as NodeJS.ErrnoException;
    const isOther = code === 'ENOTDIR' || code === 'EEXIST';
    throw unusable(path, isOther ? 'is not a directory' : `can't be used: ${message.slice(0, 300)}`);
  }
  const models = join(path, 'models');
  if (statSync(models, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw unusable(models, 'is not a directory');
  }
}

/** One directory after the other: below /proc, Node's own way to make them all never ends. */
function make(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) make(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (reason) {
    // Another process may have made it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw reason;
  }
}
