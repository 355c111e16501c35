// Compiles native/ to build/encoder.node. An installation adds --optional: a failure is then one line, and no error. Plain
// JavaScript, because any Node from 20 on may be the one that npm runs it with.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const common = '-std=c++17 -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti -Wall -Wextra';
/** Without contraction, both kernels round alike. GCC 12 warns about its own header for AVX-512. */
const kernel = '-O3 -ffp-contract=off -Wno-uninitialized -Wno-maybe-uninitialized';
/** Each object with its source and its own options. */
const objects = [
  ['addon.o', 'addon.cc', '-O2'],
  [
    'avx512.o',
    'kernel.cc',
    `-DAVX512 ${kernel} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vnni -mfma`,
  ],
  ['avx2.o', 'kernel.cc', `${kernel} -mavx2 -mfma`],
];
/**
 * No C++ library, because an older system that loads the file may have an older one. Never unloaded, as Node does when
 * the worker ends that loaded the file: the handlers of signals are in it.
 */
const linking = '-shared -s -pthread -nodefaultlibs -Wl,-Bsymbolic,-z,relro,-z,now,-z,nodelete';
const libraries = '-lpthread -lm -lc -lgcc';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const require = createRequire(import.meta.url);
const isOptional = process.argv.includes('--optional');
const encoder = path('build/encoder.node');
const sources = readdirSync(path('native')).map((name) => `native/${name}`);
const contents = ['build.js', ...sources.sort()].map((name) => readFileSync(path(name)));
/** The build id of the file says what it was made of. Times don't: git can give older contents a newer time. */
const id = createHash('sha256').update(Buffer.concat(contents)).digest();

if (process.platform !== 'linux' || process.arch !== 'x64') {
  if (!isOptional) console.error('The native encoder is only for Linux on x86-64.');
  // To npm, `npx embedgate` in a checkout is an installation.
} else if (!(isOptional && process.env.npm_command === 'exec') && !isUpToDate()) {
  try {
    await build();
  } catch ({ code, message }) {
    // A file of other sources could compute other vectors.
    rmSync(encoder, { force: true });
    const isProduction = code === 'MODULE_NOT_FOUND';
    const reason = isProduction ? 'that needs the development dependencies' : message.split('\n', 1);
    console.error(
      `The native encoder is not built: ${reason}. ONNX Runtime computes all texts instead, which takes longer. ` +
        '"npm run build:encoder" shows the details.',
    );
    if (!isOptional) process.exitCode = 1;
  }
}

/** Loads the file too: one that was built in a container can need another libc. */
function isUpToDate() {
  try {
    return readFileSync(encoder).includes(id) && Boolean(require(encoder));
  } catch {
    return false;
  }
}

async function build() {
  const { include_dir } = require('node-api-headers');
  const compiler = findCompiler();
  mkdirSync(path('build'), { recursive: true });
  const directory = mkdtempSync(path('build/new-'));
  try {
    const compiled = objects.map(([name, source, own]) => {
      const options = [...`${common} ${own}`.split(' '), `-I${include_dir}`, '-o', `${directory}/${name}`];
      return run([...compiler, ...options, '-c', path(`native/${source}`)]);
    });
    if ((await Promise.all(compiled)).includes(false)) throw new Error('the compiler failed');
    const made = `${directory}/encoder.node`;
    const options = [...linking.split(' '), `-Wl,--build-id=0x${id.toString('hex')}`, '-o', made];
    const parts = objects.map(([name]) => `${directory}/${name}`);
    const linked = run([...compiler, ...options, ...parts, ...libraries.split(' ')]);
    if (!(await linked)) throw new Error('the linker failed');
    require(made);
    // A running service keeps the file that it has loaded.
    renameSync(made, encoder);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function findCompiler() {
  const candidates = process.env.CXX ? [process.env.CXX] : ['c++', 'g++', 'clang++'];
  const found = candidates
    .map((candidate) => candidate.trim().split(/\s+/))
    .find(([command, ...options]) => spawnSync(command, [...options, '--version']).status === 0);
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
