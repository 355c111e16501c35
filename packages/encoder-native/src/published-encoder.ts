/** Finds the encoder in a folder that its authors published: what `config.json` says, and weights in safetensors. */
import { dirname, join } from 'node:path';
import {
  type DenseLayout,
  type EncoderLayout,
  layoutKey,
  openWeights,
  readWeights,
  type StoredWeights,
  type WeightTensor,
  weightsFile,
} from '../../onnx-int8/src/index.ts';
import { type JsonObject, ownEntry } from '../../small/src/json.ts';
import { albert } from './families/albert.ts';
import { bert, electra, roberta } from './families/bert.ts';
import { distilbert } from './families/distilbert.ts';
import { type Family, firstTensor, layoutOf } from './families/family.ts';
import { gemma3 } from './families/gemma3.ts';
import { brief, ModelConfig } from './families/model-config.ts';
import { modernbert } from './families/modernbert.ts';
import { mpnet } from './families/mpnet.ts';
import { nomicBert } from './families/nomic-bert.ts';
import { qwen3 } from './families/qwen3.ts';
import type { EncoderTensors, TensorPlace } from './weights.ts';

/** By `model_type` of `config.json`. */
const families: Readonly<Record<string, Family>> = {
  albert,
  bert,
  camembert: roberta,
  distilbert,
  electra,
  gemma3_text: gemma3,
  modernbert,
  mpnet,
  nomic_bert: nomicBert,
  qwen3,
  roberta,
  'xlm-roberta': roberta,
};

export interface PublishedEncoder extends EncoderTensors {
  readonly weights: StoredWeights;
  /** Returns a tensor without its elements. Throws if there is none. */
  readonly stored: (name: string) => WeightTensor;
}

/** A product after the pooling, whose weights are in a folder of their own. */
export interface DenseModule {
  readonly folder: string;
  readonly columns: number;
  readonly hasBias: boolean;
  readonly activation: DenseLayout['activation'];
}

/** What an encoder makes of the tokens' vectors: the score of a pair, or a vector by `dense`. Default: neither. */
interface Made {
  readonly scoresPairs?: boolean;
  readonly dense?: readonly DenseModule[] | undefined;
}

/**
 * Reads `model.safetensors`, or the index of several such files, and the weights of Dense modules. Throws if they are
 * damaged, if no page describes the family, or if `config.json` has a value or a key that the page doesn't know. A
 * converted file states all this itself.
 */
export function readPublished(file: string, json: JsonObject, made: Made = {}): PublishedEncoder {
  const weights = openWeights(file);
  const converted = weights.metadata[layoutKey];
  const { all, prefix, layout } =
    typeof converted === 'string'
      ? { all: weights.tensors, prefix: '', layout: JSON.parse(converted) as EncoderLayout }
      : describedBy(json, weights.tensors, file, made);
  const stored = (name: string): WeightTensor => {
    const [whole = '', part] = name.split(':');
    // Old checkpoints have other names for the parts of a normalization.
    const old = whole.replace(/weight$/, 'gamma').replace(/bias$/, 'beta');
    const found = all.get(prefix + whole) ?? all.get(prefix + old) ?? all.get(whole);
    if (found) return part ? rowsOf(found, part) : found;
    throw new Error(`there is no tensor "${prefix}${whole}"`);
  };
  const score = layout.scorePooling && layout.dense?.at(-1)?.product.values;
  if (score && stored(score).shape[0] !== 1)
    throw new Error(`a pair has ${stored(score).shape[0]} scores, and only models with one are supported`);
  const place = (name: string): TensorPlace => {
    const tensor = stored(name);
    const { file: own } = tensor.elements!;
    return { ...tensor, path: own === null ? file : join(dirname(file), own) };
  };
  return { weights, layout, stored, place, tensor: (name) => readWeights(weights, stored(name)) };
}

/** Returns the layout of an encoder as its authors wrote it, its tensors, and what stands before their names. */
function describedBy(
  json: JsonObject,
  tensors: StoredWeights['tensors'],
  file: string,
  { scoresPairs, dense: modules = [] }: Made,
) {
  const all = new Map([...tensors, ...modules.flatMap((one) => denseIn(file, one))]);
  const firstName = firstTensor(familyOf(json));
  const first = [...all.keys()].find((name) => name === firstName || name.endsWith(`.${firstName}`));
  const prefix = (first ?? '').slice(0, -firstName.length);
  const dense = modules.map(({ folder, columns, hasBias, activation }): DenseLayout => {
    const [values, bias] = [`${folder}/linear.weight`, hasBias ? `${folder}/linear.bias` : null];
    return { product: { values, scales: null, bias, factors: null, rounding: 'rows' }, columns, activation };
  });
  const layout = layoutIn(json, scoresPairs, (name) => all.has(prefix + name));
  return { all, prefix, layout: dense.length > 0 ? { ...layout, dense } : layout };
}

/** Returns a part of a tensor's rows: `0/3` is the first of three. */
function rowsOf(tensor: WeightTensor, part: string): WeightTensor {
  const [at = 0, count = 1] = part.split('/').map(Number);
  const [rows = 0, ...others] = tensor.shape;
  const { file, from, to } = tensor.elements!;
  const bytes = (to - from) / count;
  if (rows % count) throw new Error(`the tensor "${tensor.name}" can't be divided by ${count}`);
  const elements = { file, from: from + at * bytes, to: from + (at + 1) * bytes };
  return { ...tensor, shape: [rows / count, ...others], elements };
}

/** Returns the tensors of a Dense module, which stay in their file. */
function denseIn(file: string, { folder }: DenseModule): [string, WeightTensor][] {
  const name = `${folder}/${weightsFile}`;
  return [...openWeights(join(dirname(file), name)).tensors].map(([key, tensor]) => [
    `${folder}/${key}`,
    { ...tensor, elements: { ...tensor.elements!, file: name } },
  ]);
}

function familyOf({ model_type: stated }: JsonObject): Family {
  const type = String(stated);
  const family = ownEntry(families, type);
  if (family) return family;
  throw new Error(
    `the native encoder doesn't know the "model_type" ${brief(type)} of config.json, only ${Object.keys(families).join(', ')}`,
  );
}

/** Returns the layout that `config.json` describes, without looking at the weights. `has` reports whether there is a tensor. */
export function layoutIn(
  json: JsonObject,
  scoresPairs = false,
  has: (name: string) => boolean = () => true,
): EncoderLayout {
  const family = familyOf(json);
  return layoutOf(family, new ModelConfig(json, family.aliases), scoresPairs, has);
}
