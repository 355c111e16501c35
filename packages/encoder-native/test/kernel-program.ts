/** Compiles native/kernel-test.cc, which compares the kernel with plain loops and calls it at random. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../../../test/helpers/directory.ts';
import { untilEnd } from '../../../test/helpers/until-end.ts';

const run = promisify(execFile);
const native = fileURLToPath(new URL('native/', import.meta.url));
const isRightSystem = process.platform === 'linux' && process.arch === 'x64';
const instructions = new Set(isRightSystem ? readFileSync('/proc/cpuinfo', 'utf8').split(/\s/) : []);
const directory = untilEnd(temporaryDirectory()).path;

const sanitizers = '-fsanitize=address,undefined -fno-sanitize-recover=all';
// Without sanitizers where it is emulated, because that takes long.
const avx512 = instructions.has('avx512_vnni')
  ? `-mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vnni -mfma ${sanitizers}`
  : `-DNO_ASSEMBLY -mavx2 -mfma -include ${native}emulated-avx512.h`;
/** The kinds of instructions, each with its options. */
const flags = {
  avx2: `-mavx2 -mfma ${sanitizers}`,
  amx: `-mamx-tile -mamx-int8 ${avx512}`,
  // Sanitizers see what an emulated instruction reads, unless AVX-512 is emulated too.
  'emulated amx': `${avx512} -include ${native}emulated-amx.h`,
  avx512,
  plain: sanitizers,
  // Emulated by QEMU, which needs all in one file.
  neon: '-static',
};
const compilerOf = (kind: keyof typeof flags): string => (kind === 'neon' ? neonCompiler : 'g++');
const neonCompiler = 'aarch64-linux-gnu-g++';
const emulator = 'qemu-aarch64-static';

/** The reason why the program can't be compiled or run here, or false. */
export const skip: string | false = missing();
/** The reason why that for AMX can't, or false. */
export const skipAmx: string | false = instructions.has('amx_int8') ? false : 'the processor lacks AMX';
/** The reason why that for ARM64 can't, or false. */
export const skipNeon: string | false = missingNeon();

function missing(): string | false {
  if (!isRightSystem) return 'this needs Linux on x86-64';
  if (!instructions.has('avx2') || !instructions.has('fma')) return 'the processor lacks AVX2';
  const [source, program] = [join(directory, 'empty.cc'), join(directory, 'empty')];
  writeFileSync(source, 'int main() {}');
  const compiled = spawnSync('g++', [...sanitizers.split(' '), source, '-o', program]);
  const works = compiled.status === 0 && spawnSync(program).status === 0;
  return works ? false : 'this needs g++ with its sanitizers';
}

function missingNeon(): string | false {
  const absent = [neonCompiler, emulator].find((name) => spawnSync(name, ['--version']).status !== 0);
  return absent === undefined
    ? false
    : `${absent} is missing: install g++-aarch64-linux-gnu and qemu-user-static`;
}

/** Compiles the program. Returns a function that runs it with a number of random calls, and returns their digest. */
export async function kernelProgram(
  kind: keyof typeof flags,
  optimization: string,
): Promise<(calls: number) => Promise<string>> {
  const program = join(directory, kind);
  const all = [
    '-std=c++17',
    '-pthread',
    '-g1',
    '-ffp-contract=off',
    `-DINSTRUCTIONS="instructions/${kind.replace('emulated ', '')}.h"`,
    optimization,
    ...flags[kind].split(' '),
  ];
  await run(compilerOf(kind), [...all, join(native, 'kernel-test.cc'), '-o', program]);
  const [file = program, ...args] = kind === 'neon' ? [emulator, program] : [];
  return async (calls) => {
    const { stdout } = await run(file, [...args, `${calls}`]).catch((error) => {
      throw new Error(`the kernel for ${kind} fails: ${error.stdout}${error.stderr}`);
    });
    const [, digest] = /digest (\w{16})$/.exec(stdout.trim()) ?? [];
    if (digest === undefined) throw new Error(`there is no digest: ${stdout}`);
    return digest;
  };
}
