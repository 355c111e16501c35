import { builtinType } from '../onnx/tokenizer.ts';
import { encodeOnnxModel } from '../onnx-writer/onnx-file.ts';
import { dimensions, encoderModel, maxTokens } from './graph.ts';
import { tokenizerJson } from './tokenizer-json.ts';
import { readPackage } from './weights.ts';

/** Returns the files of the built-in model's ONNX directory (path → bytes). They are the same on every machine. */
export async function convertModel(): Promise<Map<string, Uint8Array>> {
  const { weights, vocabulary } = await readPackage();
  return new Map([
    ['onnx/model.onnx', encodeOnnxModel(encoderModel(weights))],
    ['tokenizer.json', json(tokenizerJson(vocabulary))],
    ['config.json', json({ model_type: builtinType, hidden_size: dimensions })],
    ['sentence_bert_config.json', json({ max_seq_length: maxTokens, do_lower_case: false })],
  ]);
}

const json = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);
