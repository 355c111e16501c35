import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  { renamesAssets = false } = {},
): Release {
  const directory = temporaryDirectory();
  const at = (path: string) => join(directory.path, path);
  for (const path of ['bin', 'src', 'packages', 'package.json', 'docs/openapi.json'])
    cpSync(join(root, path), at(path), { recursive: true });
  mkdirSync(at('web'));
  symlinkSync(join(root, 'node_modules'), at('node_modules'));
  if (renamesAssets) writeOtherAssets(at('web/dist'));
  else symlinkSync(join(root, 'web/dist'), at('web/dist'));
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

/** Copies the built dashboard, with another name for each script and style sheet. */
function writeOtherAssets(to: string): void {
  cpSync(join(root, 'web/dist'), to, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) });
  const renamed = (name: string) => name.replace(/-([\w-]{8})\.(js|css)\b/g, '-$1x.$2');
  for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(html|js|css)$/.test(name)) continue;
    const text = renamed(readFileSync(join(to, name), 'utf8'));
    rmSync(join(to, name));
    writeFileSync(join(to, renamed(name)), text);
  }
}

/** Returns a step of the schema that adds a column, as the change of a new file. */
export const addsColumn = (table: string) => () => {
  const statements = `() => ['ALTER TABLE ${table} ADD COLUMN note TEXT']`;
  return `export const step = { sqlite: ${statements}, postgres: ${statements} };\n`;
};
