import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../../test/helpers/directory.ts';

const own = fileURLToPath(new URL('..', import.meta.url));
const headers = dirname(createRequire(import.meta.url).resolve('node-api-headers/package.json'));
const isBuildable = process.platform === 'linux' && process.arch === 'x64';
const hasCompiler = ['c++', 'g++', 'clang++'].some((name) => spawnSync(name, ['--version']).status === 0);
const skip = isBuildable && hasCompiler ? false : 'this needs Linux on x86-64 and a C++ compiler';
/** RHEL 9, Ubuntu 22.04 and Debian 12 have at least this version of glibc 2. */
const maxGlibc = 34;

/** Takes no time to compile. */
const tiny = `#include <node_api.h>
extern "C" NAPI_MODULE_EXPORT const char encoderSources[] = SOURCES;
NAPI_MODULE_INIT() { return exports; }
`;
const builtName = 'encoder-linux-x64.node';

/** The build in a directory of its own, with the package's sources or tiny ones. */
class Copy {
  readonly #directory = temporaryDirectory();
  readonly path = this.#directory.path;
  readonly encoder = join(this.path, 'build', builtName);
  readonly kernel = join(this.path, 'native/kernel.cc');

  constructor(sources: 'own' | 'tiny' = 'tiny', hasHeaders = true) {
    for (const name of ['package.json', 'build.js', 'native'])
      cpSync(join(own, name), join(this.path, name), { recursive: true });
    if (sources === 'tiny') writeFileSync(join(this.path, 'native/addon.cc'), tiny);
    if (sources === 'tiny') writeFileSync(this.kernel, '');
    mkdirSync(join(this.path, 'node_modules'));
    if (hasHeaders) symlinkSync(headers, join(this.path, 'node_modules/node-api-headers'));
  }

  /** Runs the build to its end: as an installation does, with `--optional`, or as `npm run build:encoder`. */
  build(
    args: readonly string[],
    environment: NodeJS.ProcessEnv = {},
  ): { status: number | null; lines: string[] } {
    const { npm_command: _, CXX: __, ...env } = process.env;
    const command = [join(this.path, 'build.js'), ...args];
    const options = { env: { ...env, ...environment }, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, command, options);
    assert.equal(stdout, '', 'npm prints a document there when it packs');
    return { status, lines: stderr.split('\n').slice(0, -1) };
  }

  /** Returns what the build has left. */
  built(): string[] {
    return readdirSync(this.path).includes('build') ? readdirSync(join(this.path, 'build')) : [];
  }

  [Symbol.dispose]() {
    this.#directory[Symbol.dispose]();
  }
}

describe('the build of the native encoder', { skip }, () => {
  it('keeps the file while its sources are the same, and replaces it when one has changed', () => {
    using copy = new Copy();
    assert.deepEqual(copy.build(['--optional']), { status: 0, lines: [] });
    assert.deepEqual(copy.built(), [builtName]);
    const { ino } = statSync(copy.encoder);
    // An up-to-date file needs no compiler.
    assert.deepEqual(copy.build([], { CXX: 'none' }), { status: 0, lines: [] });
    assert.equal(statSync(copy.encoder).ino, ino);
    // Of another machine, as --all builds them.
    cpSync(copy.encoder, join(copy.path, 'build/encoder-darwin-arm64.node'));
    assert.deepEqual(copy.build([]), { status: 0, lines: [] });
    assert.equal(copy.built().length, 2);
    appendFileSync(copy.kernel, '// Another line.\n');
    assert.deepEqual(copy.build(['--optional']), { status: 0, lines: [] });
    assert.deepEqual(copy.built(), [builtName]);
    assert.notEqual(statSync(copy.encoder).ino, ino);
  });

  it('makes a file that loads, and needs no library but libc, and no new one', () => {
    using copy = new Copy('own');
    const compiler = join(copy.path, 'compiler');
    // Keeps the objects.
    const keep = `for file; do case $file in */a[mv]x*.o | */plain.o) cp "$file" '${copy.path}';; esac; done`;
    writeFileSync(compiler, `#!/bin/sh\nc++ "$@" && { ${keep}; }\n`, { mode: 0o755 });
    assert.deepEqual(copy.build(['--optional'], { CXX: compiler }), { status: 0, lines: [] });
    assert.ok(createRequire(import.meta.url)(copy.encoder));
    const text = readFileSync(copy.encoder, 'latin1');
    assert.doesNotMatch(text, /lib(stdc\+\+|gcc_s)\.so/);
    const versions = [...text.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
    assert.deepEqual(
      versions.filter((minor) => minor > maxGlibc),
      [],
    );
    // Of two functions with one name, the linker keeps either, also one that this processor can't run.
    const defined = ['amx.o', 'avx512.o', 'avx2.o', 'plain.o'].flatMap((name) => {
      const args = ['--defined-only', '--extern-only', '--format=posix', join(copy.path, name)];
      const lines = spawnSync('nm', args, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
      return lines.map((line) => line.split(' ', 1)[0]);
    });
    assert.ok(defined.length >= 4);
    assert.equal(new Set(defined).size, defined.length, `${defined}`);
  });

  it('leaves out AMX if the compiler lacks it', () => {
    using copy = new Copy();
    const compiler = join(copy.path, 'compiler');
    writeFileSync(compiler, '#!/bin/sh\ncase $* in *-mamx*) exit 1;; esac\nexec c++ "$@"\n', { mode: 0o755 });
    const { status, lines } = copy.build([], { CXX: compiler });
    assert.equal(status, 0);
    assert.match(lines.join(), /avx512\.h/);
    assert.doesNotMatch(lines.join(), /amx/i);
  });

  for (const [fault, { hasHeaders, breaks, environment, reason }] of Object.entries({
    'without a compiler': { environment: { PATH: dirname(process.execPath) }, reason: /no C\+\+ compiler/ },
    'with a CXX that does not exist': { environment: { CXX: 'none' }, reason: /no C\+\+ compiler \(none\)/ },
    'without the headers': { hasHeaders: false, reason: /needs the development dependencies/ },
    'with a source that does not compile': {
      breaks: 'int f() { return unknown; }',
      reason: /compiler failed/,
    },
    'with a source whose result does not load': {
      breaks: 'void missing(); static int missed = (missing(), 0);',
      reason: /undefined symbol/,
    },
  } as Record<string, Fault>)) {
    it(`prints one line and is no error ${fault}, and leaves no file of other sources`, () => {
      using copy = new Copy('tiny', hasHeaders);
      mkdirSync(join(copy.path, 'build'));
      writeFileSync(copy.encoder, 'of other sources');
      if (breaks) appendFileSync(copy.kernel, breaks);
      const { status, lines } = copy.build(['--optional'], environment);
      assert.equal(status, 0);
      assert.equal(lines.length, 1, lines.join('\n'));
      assert.match(lines[0]!, reason);
      assert.match(lines[0]!, /ONNX Runtime computes graphs.*"npm run build:encoder"/);
      assert.deepEqual(copy.built(), []);
      // By itself, it also prints the commands and what they print.
      const loud = copy.build([], environment);
      assert.equal(loud.status, 1);
      assert.match(loud.lines.at(-1)!, reason);
      if (breaks) assert.ok(loud.lines.some((line) => line.includes('kernel.cc')));
    });
  }

  it('does nothing when npx runs the command in a checkout', () => {
    using copy = new Copy();
    assert.deepEqual(copy.build(['--optional'], { npm_command: 'exec' }), { status: 0, lines: [] });
    assert.deepEqual(copy.built(), []);
  });
});

interface Fault {
  readonly hasHeaders?: boolean;
  /** Appended to the kernel. */
  readonly breaks?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly reason: RegExp;
}
