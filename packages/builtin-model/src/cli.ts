import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { modelFiles } from './index.ts';

const help = `Usage: builtin-model <directory>

Writes the Universal Sentence Encoder lite as an ONNX model directory, in the layout of a Hugging Face export.`;

/** Runs the command. Returns the exit code: 0, 1 for a directory that can't be written, or 2 for wrong arguments. */
export async function main(args: readonly string[]): Promise<number> {
  const [directory] = args;
  if (args.length !== 1 || directory === undefined || directory.startsWith('-')) {
    const isHelp = directory === '--help' || directory === '-h';
    (isHelp ? console.log : console.error)(help);
    return isHelp ? 0 : 2;
  }
  try {
    for (const [path, bytes] of await modelFiles()) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), bytes);
    }
    return 0;
  } catch (error) {
    console.error(`builtin-model: ${(error as Error).message}`);
    return 1;
  }
}
