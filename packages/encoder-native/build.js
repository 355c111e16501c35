// Compiles native/ to build/encoder-<platform>-<architecture>.node, for this machine. An installation adds --optional: a
// failure is then one line, and no error. A release adds --all, for the other machines too, with zig as the compiler. Plain
// JavaScript, because any Node from 20 on may be the one that npm runs it with.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const common = '-std=c++17 -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti -Wall -Wextra';
/** Without contraction, all kernels round alike. GCC 12 warns about its own header for AVX-512. */
const kernel =
  '-O3 -ffp-contract=off -Wno-uninitialized -Wno-maybe-uninitialized -Wno-unknown-warning-option';
const avx512 = '-mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vnni -mfma';
/** The headers of instructions for each architecture, with their options. */
const instructions = {
  x64: {
    amx: `-mamx-tile -mamx-int8 ${avx512}`,
    avx512,
    avx2: '-mavx2 -mfma',
    plain: '',
  },
  arm64: { neon: '', plain: '' },
};
const linking = {
  // No C++ library, because an older system that loads the file may have an older one. Never unloaded, as Node does when
  // the worker ends that loaded the file: the handlers of signals are in it.
  linux:
    '-shared -s -pthread -nodefaultlibs -Wl,-Bsymbolic,-z,relro,-z,now,-z,nodelete -lpthread -lm -lc -lgcc',
  darwin: '-shared -Wl,-undefined,dynamic_lookup',
  win32: '-shared -s -lpthread',
};
/** Where Embedgate runs, as zig calls it. */
const targets = {
  'linux-x64': 'x86_64-linux-gnu.2.17',
  'linux-arm64': 'aarch64-linux-gnu.2.17',
  'darwin-arm64': 'aarch64-macos.13.0',
  'win32-x64': 'x86_64-windows-gnu',
};

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const require = createRequire(import.meta.url);
const isOptional = process.argv.includes('--optional');
const own = `${process.platform}-${process.arch}`;
const fileOf = (system) => path(`build/encoder-${system}.node`);
const sources = readdirSync(path('native'), { recursive: true })
  .filter((name) => /\.(cc|h)$/.test(name))
  .map((name) => `native/${name}`);
const contents = ['build.js', ...sources.sort()].map((name) => readFileSync(path(name)));
/** The file contains what it was made of. Times don't tell: git can give older contents a newer time. */
const id = createHash('sha256').update(Buffer.concat(contents)).digest('hex');

// To npm, `npx embedgate` in a checkout is an installation.
if (!(isOptional && process.env.npm_command === 'exec')) {
  mkdirSync(path('build'), { recursive: true });
  for (const system of process.argv.includes('--all') ? Object.keys(targets) : [own]) {
    if (!targets[system]) {
      if (!isOptional) console.error(`There is no native encoder for ${system}.`);
    } else if (!isUpToDate(system)) {
      try {
        await build(system);
      } catch ({ code, message }) {
        const isProduction = code === 'MODULE_NOT_FOUND';
        const reason = isProduction ? 'that needs the development dependencies' : message.split('\n', 1);
        console.error(
          `The native encoder is not built: ${reason}. ONNX Runtime computes graphs instead, which takes longer, and folders of safetensors can't be served. ` +
            '"npm run build:encoder" shows the details.',
        );
        if (!isOptional) process.exitCode = 1;
      }
    }
  }
  // A file of other sources could compute other vectors.
  for (const name of readdirSync(path('build')).filter((name) => name.endsWith('.node')))
    if (!isCurrent(path(`build/${name}`))) rmSync(path(`build/${name}`));
}

function isCurrent(file) {
  return readFileSync(file).includes(id);
}

/** Loads the file too, if it is for this machine: one that was built in a container can need another libc. */
function isUpToDate(system) {
  try {
    return isCurrent(fileOf(system)) && (system !== own || Boolean(require(fileOf(system))));
  } catch {
    return false;
  }
}

async function build(system) {
  const { include_dir, def_paths } = require('node-api-headers');
  const [platform, architecture] = system.split('-');
  const { compiler, dlltool } = findCompiler(system);
  const directory = mkdtempSync(path('build/new-'));
  try {
    const hasAmx = platform === 'linux' && architecture === 'x64' && knowsAmx(compiler, directory);
    const kinds = Object.entries(instructions[architecture])
      .filter(([kind]) => kind !== 'amx' || hasAmx)
      .map(([kind, options]) => [
        `${kind}.o`,
        'kernel.cc',
        `-DINSTRUCTIONS="instructions/${kind}.h" ${kernel} ${options}`,
      ]);
    const objects = [['addon.o', 'addon.cc', `-DSOURCES="${id}" ${hasAmx ? '-DHAS_AMX' : ''} -O2`], ...kinds];
    const compiled = objects.map(([name, source, options]) => {
      const all = `${common} ${options}`.trim().split(/ +/);
      return run([
        ...compiler,
        ...all,
        `-I${include_dir}`,
        '-o',
        `${directory}/${name}`,
        '-c',
        path(`native/${source}`),
      ]);
    });
    if ((await Promise.all(compiled)).includes(false)) throw new Error('the compiler failed');
    const parts = objects.map(([name]) => `${directory}/${name}`);
    // The functions of Node, for the linker.
    for (const [name, file] of Object.entries(platform === 'win32' ? def_paths : {})) {
      parts.push(`${directory}/${name}.lib`);
      await run([...dlltool, '-m', 'i386:x86-64', '-d', file, '-l', parts.at(-1)]);
    }
    const made = `${directory}/encoder.node`;
    const linked = run([...compiler, '-o', made, ...parts, ...linking[platform].split(' ')]);
    if (!(await linked)) throw new Error('the linker failed');
    if (system === own) require(made);
    // A running service keeps the file that it has loaded.
    renameSync(made, fileOf(system));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Reports whether a compiler and its assembler have AMX, which GCC 10 and binutils 2.35 lack. */
function knowsAmx([command, ...args], directory) {
  const probe = [...args, '-mamx-tile', '-mamx-int8', '-x', 'c++', '-c', '-', '-o', `${directory}/probe.o`];
  return spawnSync(command, probe, { input: 'void f() { asm("tilerelease"); }' }).status === 0;
}

/** For other machines, and on Windows, zig is the compiler. */
function findCompiler(system) {
  if (system === own && process.platform !== 'win32')
    return { compiler: find(process.env.CXX ? [process.env.CXX] : ['c++', 'g++', 'clang++'], []) };
  const zig = find(['zig', 'python3 -m ziglang', 'python -m ziglang'], ['c++']);
  return { compiler: [...zig, 'c++', '-target', targets[system]], dlltool: [...zig, 'dlltool'] };
}

function find(candidates, options) {
  const found = candidates
    .map((candidate) => candidate.trim().split(/\s+/))
    .find(([command, ...args]) => spawnSync(command, [...args, ...options, '--version']).status === 0);
  if (found) return found;
  throw new Error(`there is no C++ compiler (${candidates.join(', ')})`);
}

/** Reports whether a command succeeds. npm keeps stdout for itself when it packs, so everything goes to stderr. */
async function run([command, ...args]) {
  if (!isOptional) console.error(command, ...args);
  const output = isOptional ? 'ignore' : process.stderr;
  const child = spawn(command, args, { stdio: ['ignore', output, output] });
  const [status] = await once(child, 'close');
  return status === 0;
}
