import type { EncoderLayout, LayerLayout, NormLayout, ProductLayout } from '../../../onnx-int8/src/index.ts';
import { activations, type ModelConfig } from './model-config.ts';

/** What `config.json` and the files of weights call the parts of BERT and of models with the same layers. */
export interface Family {
  /** The keys of `config.json` with the sizes. */
  readonly keys: Readonly<Record<'hidden' | 'inner' | 'heads' | 'layers' | 'activation', string>>;
  /** Other keys of `config.json`, each with the only values for which the layers are these. */
  readonly only?: Readonly<Record<string, readonly (string | number | boolean)[]>>;
  /** Keys with sizes that the tensors have too. */
  readonly sizes?: readonly string[];
  /** The modules of a layer. `#` stands for its number. */
  readonly layer: Readonly<Record<keyof LayerLayout, string>>;
  readonly widening?: string;
  readonly distances?: string;
  readonly hasTypes?: boolean;
  /** Whether positions are counted from the row after that of the padding's id on. */
  readonly countsTokens?: boolean;
}

const epsilonKey = 'layer_norm_eps';
const usualEpsilon = 1e-12;
/** The kernel takes no more. */
const maxLayers = 1_000;
const embeddings = {
  words: 'embeddings.word_embeddings.weight',
  positions: 'embeddings.position_embeddings.weight',
  types: 'embeddings.token_type_embeddings.weight',
  norm: 'embeddings.LayerNorm',
};
/** A tensor that each model has. What stands before its name in a file stands before all names. */
export const firstTensor = embeddings.words;

/** Returns the layout. Throws if `config.json` asks for anything else. `has` reports whether there is a tensor. */
export function layoutOf(family: Family, config: ModelConfig, has: (name: string) => boolean): EncoderLayout {
  const { keys, only = {}, sizes = [], layer, widening, distances, hasTypes, countsTokens } = family;
  const [hidden, heads] = [config.size(keys.hidden), config.size(keys.heads)];
  for (const key of [keys.inner, 'max_position_embeddings', ...sizes]) config.size(key, hidden);
  for (const [key, values] of Object.entries({ ...only, chunk_size_feed_forward: [0] }))
    config.only(key, values);
  const epsilon = config.number(epsilonKey, usualEpsilon);
  const norm = (name: string): NormLayout => ({ scale: `${name}.weight`, bias: `${name}.bias`, epsilon });
  const linear = (name: string): ProductLayout => {
    return { values: `${name}.weight`, scales: null, bias: `${name}.bias`, factors: null, rounding: 'rows' };
  };
  const layerOf = (i: number): LayerLayout => {
    const parts = Object.entries(layer).map(([part, module]) => {
      const name = module.replace('#', String(i));
      return [part, /norm$/i.test(part) ? norm(name) : linear(name)] as const;
    });
    return Object.fromEntries(parts) as unknown as LayerLayout;
  };
  const layers = config.size(keys.layers);
  if (layers > maxLayers) throw new Error(`"${keys.layers}" of config.json is above ${maxLayers}`);
  const activation = config.choice(keys.activation, activations, 'gelu');
  const positionOffset = countsTokens ? config.number('pad_token_id', 1) + 1 : 0;
  config.refuseOthers();
  return {
    heads,
    headSize: hidden / heads,
    activation,
    words: { values: embeddings.words, scales: null },
    positions: embeddings.positions,
    positionOffset,
    distances: distances ?? null,
    types: hasTypes ? embeddings.types : null,
    wordsNorm: norm(embeddings.norm),
    widening: widening && has(`${widening}.weight`) ? linear(widening) : null,
    layers: Array.from({ length: layers }, (_, i) => layerOf(i)),
  };
}
