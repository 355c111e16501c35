import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from './directory.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Release extends Disposable {
  /** The path of its command. */
  readonly program: string;
}

/**
 * Writes a later release: a copy of today's program with the version, and with files that are changed or added. A file is
 * its path and a function from its present text.
 */
export function nextRelease(
  version: string,
  changes: Readonly<Record<string, (text: string) => string>>,
): Release {
  const directory = temporaryDirectory();
  const at = (path: string) => join(directory.path, path);
  for (const path of ['bin', 'src', 'packages', 'package.json', 'docs/openapi.json'])
    cpSync(join(root, path), at(path), { recursive: true });
  mkdirSync(at('web'));
  for (const path of ['node_modules', 'web/dist']) symlinkSync(join(root, path), at(path));
  const edit = (path: string, change: (text: string) => string, before = readFileSync(at(path), 'utf8')) =>
    writeFileSync(at(path), change(before));
  edit('package.json', (text) => text.replace(/"version": "[^"]+"/, `"version": "${version}"`));
  for (const [path, change] of Object.entries(changes)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    const isNew = path.includes('/steps/');
    edit(path, change, isNew ? '' : undefined);
  }
  return { program: at('bin/embedgate.js'), [Symbol.dispose]: () => directory[Symbol.dispose]() };
}

/** Returns a step of the schema that adds a column, as the change of a new file. */
export const addsColumn = (table: string) => () => {
  const statements = `() => ['ALTER TABLE ${table} ADD COLUMN note TEXT']`;
  return `export const step = { sqlite: ${statements}, postgres: ${statements} };\n`;
};
