import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The package's root, which is above the sources and above the compiled files. */
export const packageRoot = new URL('.', pathToFileURL(findPackageJSON(import.meta.url)!));

export const version: string = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')).version;
