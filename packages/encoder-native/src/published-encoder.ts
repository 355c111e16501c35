/** Finds the encoder in a folder that its authors published: what `config.json` says, and weights in safetensors. */
import {
  layoutKey,
  openWeights,
  readWeights,
  type StoredWeights,
  type WeightTensor,
} from '../../onnx-int8/src/index.ts';
import type { JsonObject } from '../../small/src/json.ts';
import { albert } from './families/albert.ts';
import { bert, roberta } from './families/bert.ts';
import { distilbert } from './families/distilbert.ts';
import { type Family, firstTensor, layoutOf } from './families/family.ts';
import { ModelConfig } from './families/model-config.ts';
import { mpnet } from './families/mpnet.ts';
import type { EncoderTensors } from './weights.ts';

/** By `model_type` of `config.json`. */
const families: Readonly<Record<string, Family>> = {
  albert,
  bert,
  camembert: roberta,
  distilbert,
  electra: bert,
  mpnet,
  roberta,
  'xlm-roberta': roberta,
};

export interface PublishedEncoder extends EncoderTensors {
  readonly weights: StoredWeights;
  /** Returns a tensor without its elements. Throws if there is none. */
  readonly stored: (name: string) => WeightTensor;
}

/**
 * Reads `model.safetensors`, or the index of several such files. Throws if it is damaged, if no page describes the
 * family, or if `config.json` has a value or a key that the page doesn't know.
 */
export function readPublished(file: string, json: JsonObject): PublishedEncoder {
  const weights = openWeights(file);
  const { tensors, metadata } = weights;
  const converted = metadata[layoutKey];
  const first = [...tensors.keys()].find((name) => name === firstTensor || name.endsWith(`.${firstTensor}`));
  const prefix = (first ?? '').slice(0, -firstTensor.length);
  const layout =
    typeof converted === 'string'
      ? JSON.parse(converted)
      : layoutIn(json, (name) => tensors.has(prefix + name));
  const stored = (name: string): WeightTensor => {
    // Old checkpoints have other names for the parts of a normalization.
    const old = name.replace(/weight$/, 'gamma').replace(/bias$/, 'beta');
    const found = tensors.get(prefix + name) ?? tensors.get(prefix + old);
    if (found) return found;
    throw new Error(`there is no tensor "${prefix}${name}"`);
  };
  return { weights, layout, stored, tensor: (name) => readWeights(weights, stored(name)) };
}

/** Returns the layout that `config.json` describes, without looking at the weights. `has` reports whether there is a tensor. */
export function layoutIn(json: JsonObject, has: (name: string) => boolean = () => true) {
  const type = String(json.model_type);
  if (Object.hasOwn(families, type)) return layoutOf(families[type]!, new ModelConfig(json), has);
  throw new Error(
    `the native encoder doesn't know the "model_type" ${type} of config.json, only ${Object.keys(families).join(', ')}`,
  );
}
