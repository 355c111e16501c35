/** Reads what a model directory in the layout of a Hugging Face export says about its model. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256OfFile } from '../file-hash.ts';

export interface ModelDirectory {
  readonly modelFile: string;
  readonly tokenizerFile: string;
  readonly dimensions: number;
  readonly maxTokens: number;
}

const modelFile = 'onnx/model.onnx';
const tokenizerFile = 'tokenizer.json';
const configFile = 'config.json';
const sentenceConfigFile = 'sentence_bert_config.json';

// Raise it when this code makes another vector of the same files and text.
const computationVersion = 1;

/** Reads two small files, at once: threads wait for it. Throws when a file is missing, or does not say the vectors' size (`hidden_size`) and the limit (`max_seq_length`). */
export function readModelDirectory(directory: string): ModelDirectory {
  const dimensions = readPositiveInteger(join(directory, configFile), 'hidden_size');
  const maxTokens = readPositiveInteger(join(directory, sentenceConfigFile), 'max_seq_length');
  return {
    modelFile: join(directory, modelFile),
    tokenizerFile: join(directory, tokenizerFile),
    dimensions,
    maxTokens,
  };
}

/** A SHA-256 over all that decides which vector a text gets. */
export async function fingerprintOf(directory: string): Promise<string> {
  const files = [modelFile, tokenizerFile, configFile, sentenceConfigFile];
  const sums = await Promise.all(files.map((file) => sha256OfFile(join(directory, file))));
  return createHash('sha256')
    .update([computationVersion, ...sums].join('\n'))
    .digest('hex');
}

function readPositiveInteger(file: string, field: string): number {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))[field];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    throw new Error(`${file}: "${field}" must be a positive integer`);
  }
  return value;
}
