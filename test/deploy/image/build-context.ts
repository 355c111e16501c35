import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join, matchesGlob } from 'node:path';

/**
 * A directory as a build sees it: without what its .dockerignore excludes. The last pattern that matches a
 * path, or a directory above it, decides: https://docs.docker.com/build/concepts/context/#dockerignore-files
 */
export class BuildContext {
  readonly #directory: string;
  readonly #patterns: readonly { readonly glob: string; readonly isException: boolean }[];

  constructor(directory: string, dockerignore: string) {
    this.#directory = directory;
    this.#patterns = dockerignore
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => ({ glob: line.replace(/^!/, ''), isException: line.startsWith('!') }));
  }

  /** Copies a file, or the content of a directory, as `COPY` does. Throws when it is not in the context. */
  copy(source: string, target: string): void {
    if (!existsSync(join(this.#directory, source)) || this.#isExcluded(source)) {
      throw new Error(`COPY ${source}: it is not in the build's context`);
    }
    if (!lstatSync(join(this.#directory, source)).isDirectory()) {
      const file = target.endsWith('/') ? join(target, basename(source)) : target;
      mkdirSync(dirname(file), { recursive: true });
      cpSync(join(this.#directory, source), file, { preserveTimestamps: true });
      return;
    }
    mkdirSync(target, { recursive: true });
    for (const name of readdirSync(join(this.#directory, source))) {
      const path = join(source, name);
      if (!this.#isExcluded(path)) this.copy(path, join(target, name));
    }
  }

  #isExcluded(path: string): boolean {
    const parts = path.split('/');
    const ancestors = parts.map((_, i) => parts.slice(0, i + 1).join('/'));
    const last = this.#patterns.findLast(({ glob }) => ancestors.some((part) => matchesGlob(part, glob)));
    return last !== undefined && !last.isException;
  }
}
