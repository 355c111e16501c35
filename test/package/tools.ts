import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const deadlineMs = 300_000;

/** Versions of Node and npm, each installed once into a directory of its own. */
export class Tools {
  readonly #directory: string;
  readonly #installed = new Map<string, Promise<string>>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Returns a directory with `node` and `npm` of these versions, to be put at the front of the path. */
  async path(node: number, npm: string): Promise<string> {
    const platform = process.platform === 'win32' ? 'win' : process.platform;
    const nodePackage = await this.#install(`node-${platform}-${process.arch}`, String(node));
    const npmPackage = await this.#install('npm', npm);
    const { version } = JSON.parse(readFileSync(join(npmPackage, 'package.json'), 'utf8'));
    const directory = join(this.#directory, `node-${node}-npm-${version}`);
    if (mkdirSync(directory, { recursive: true }) === undefined) return directory;
    symlinkSync(join(nodePackage, 'bin/node'), join(directory, 'node'));
    for (const name of ['npm', 'npx']) {
      const script = `#!/bin/sh\nexec node "${join(npmPackage, `bin/${name}-cli.js`)}" "$@"\n`;
      writeFileSync(join(directory, name), script, { mode: 0o755 });
    }
    return directory;
  }

  #install(name: string, range: string): Promise<string> {
    const key = `${name}@${range}`;
    const known = this.#installed.get(key) ?? this.#download(name, key);
    this.#installed.set(key, known);
    return known;
  }

  async #download(name: string, key: string): Promise<string> {
    const directory = join(this.#directory, 'packages', key.replaceAll(/[~@]/g, '-'));
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'package.json'), '{"private": true}');
    const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--force', key];
    await promisify(execFile)('npm', args, { cwd: directory, timeout: deadlineMs });
    return join(directory, 'node_modules', name);
  }
}
