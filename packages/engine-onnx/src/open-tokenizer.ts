import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trimMemory } from '../../encoder-native/src/index.ts';
import { messageOf } from '../../small/src/errors.ts';
import { JsonFiles } from './json-file.ts';
import { Tokenizer, type TokenizerOptions } from './tokenizer.ts';
import { refuseContradictions } from './tokenizer-config.ts';
import { refuseUnbounded } from './tokenizer-patterns.ts';

/** Opens the tokenizer of a model's directory. Throws an error that names the file if it can't be read or used. */
export async function openTokenizer(directory: string, options: TokenizerOptions): Promise<Tokenizer> {
  const file = join(directory, 'tokenizer.json');
  const files = new JsonFiles(directory);
  const json = files.object('tokenizer.json');
  if (files.found.length === 0) throw new Error(`${directory}: no tokenizer.json`);
  try {
    refuseUnbounded(json);
    refuseContradictions(files.object('tokenizer_config.json'), json);
    const tokenizer = await Tokenizer.open(readFileSync(file, 'utf8'), json, options);
    trimMemory();
    return tokenizer;
  } catch (cause) {
    throw new Error(`${file}: ${messageOf(cause)}`, { cause });
  }
}
