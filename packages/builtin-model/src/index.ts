/** The Universal Sentence Encoder lite as the files of an ordinary model directory. */
import { encodeOnnxModel } from '../../onnx-int8/src/index.ts';
import { dimensions, encoderModel, maxTokens } from './graph.ts';
import { tokenizerJson } from './tokenizer-json.ts';
import { readPackage } from './weights.ts';

/**
 * Returns the files of the model's directory (path → bytes), in the layout of a Hugging Face export. They are the same
 * on every machine. Throws if the package with the weights is missing or damaged.
 */
export async function modelFiles(): Promise<Map<string, Uint8Array>> {
  const { weights, vocabulary } = await readPackage();
  return new Map([
    ['onnx/model.onnx', encodeOnnxModel(encoderModel(weights))],
    ['tokenizer.json', json(tokenizerJson(vocabulary))],
    ['config.json', json({ model_type: 'universal-sentence-encoder-lite', hidden_size: dimensions })],
    ['sentence_bert_config.json', json({ max_seq_length: maxTokens, do_lower_case: false })],
  ]);
}

const json = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);
