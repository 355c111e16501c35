import type {
  DenseLayout,
  EncoderLayout,
  LayerLayout,
  NormLayout,
  ProductLayout,
} from '../../../onnx-int8/src/index.ts';
import { activations, type ModelConfig } from './model-config.ts';

/** The parts of a layer that have tensors. */
type LayerPart = {
  [Part in keyof LayerLayout]-?: NonNullable<LayerLayout[Part]> extends number ? never : Part;
}[keyof LayerLayout];

/** What `config.json` and the files of weights call the parts of a family of models. */
export interface Family {
  /** The keys of `config.json` with the sizes. */
  readonly keys: Readonly<Record<'hidden' | 'inner' | 'heads' | 'layers' | 'activation', string>>;
  /** Other keys of `config.json`, each with the only values for which the layers are these. */
  readonly only?: Readonly<Record<string, readonly (string | number | boolean)[]>>;
  /** Keys with sizes that the tensors have too. */
  readonly sizes?: readonly string[];
  /** Keys that change no vector in this family. */
  readonly ignored?: readonly string[];
  /** Other names of the keys above and below, which the authors use. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The key of the epsilon of norms, and its value where the key is missing. Default: those of BERT. */
  readonly epsilon?: readonly [key: string, otherwise: number];
  /** The activation where its key is missing. Default: that of BERT. */
  readonly activation?: string;
  /** The modules of a layer. `#` stands for its number. A module with `:0/3` is the first third of its rows. */
  readonly layer: Readonly<Partial<Record<LayerPart, string>>>;
  /** The modules before and after the layers. Default: those of BERT. */
  readonly words?: string;
  readonly wordsNorm?: string | null;
  readonly lastNorm?: string;
  readonly widening?: string;
  readonly distances?: string;
  readonly hasTypes?: boolean;
  /** Whether all layers have the weights of one. */
  readonly isRepeated?: boolean;
  /** What makes the score of a pair from its pooled tokens, in a model that is named `…ForSequenceClassification`. */
  readonly score?: (config: ModelConfig) => ScoreHead;
  /** Which products and norms have no bias. Default: neither. */
  readonly withoutBias?: 'products' | 'all';
  /** Whether positions are counted from the row after that of the padding's id on. */
  readonly countsTokens?: boolean;
  /** Reads from `config.json` what differs from BERT, such as rotary positions. */
  readonly rest?: (config: ModelConfig, sizes: RestOfSizes) => RestOfLayout;
}

export interface RestOfSizes {
  readonly hidden: number;
  readonly heads: number;
}

export interface RestOfLayout extends Partial<EncoderLayout> {
  readonly scaleOffset?: number;
  readonly partsOf?: (layer: number) => Partial<LayerLayout>;
}

export interface ScoreHead {
  readonly pooling: NonNullable<EncoderLayout['scorePooling']>;
  /** One after the other. Only the last one is not as wide as the layers: it makes the score. */
  readonly products: readonly {
    readonly module: string;
    /** Default: true. */
    readonly hasBias?: boolean;
    readonly activation?: DenseLayout['activation'];
    readonly norm?: string;
  }[];
}

/** The kernel takes no more. */
const maxLayers = 1_000;
/** Tables of positions grow with them. */
const maxPositions = 1 << 20;
const positionsModule = 'embeddings.position_embeddings';
const typesModule = 'embeddings.token_type_embeddings';
const positionsKey = 'max_position_embeddings';

/** Returns a tensor that each model has. What stands before its name in a file stands before all names. */
export const firstTensor = ({ words = 'embeddings.word_embeddings' }: Family): string => `${words}.weight`;

/**
 * Returns the layout. Throws if `config.json` asks for anything else. `scoresPairs`: whether the encoder makes scores in
 * place of vectors. `has` reports whether there is a tensor.
 */
export function layoutOf(
  family: Family,
  config: ModelConfig,
  scoresPairs: boolean,
  has: (name: string) => boolean,
): EncoderLayout {
  const {
    keys,
    only = {},
    sizes = [],
    ignored = [],
    layer,
    widening,
    distances,
    withoutBias,
    lastNorm,
  } = family;
  const { wordsNorm = 'embeddings.LayerNorm', hasTypes, countsTokens, isRepeated } = family;
  const [hidden, heads] = [config.size(keys.hidden), config.size(keys.heads)];
  for (const key of [keys.inner, ...sizes]) config.size(key, hidden);
  for (const key of ignored) config.value(key);
  const positionCount = config.size(positionsKey);
  if (positionCount > maxPositions)
    throw new Error(`"${positionsKey}" of config.json is above ${maxPositions}`);
  for (const [key, values] of Object.entries({ ...only, chunk_size_feed_forward: [0] }))
    config.only(key, values);
  const epsilon = config.number(...(family.epsilon ?? (['layer_norm_eps', 1e-12] as const)));
  const { partsOf, scaleOffset, ...rest } = family.rest?.(config, { hidden, heads }) ?? {};
  const tensor = (module: string, kind: 'weight' | 'bias') => {
    const [path, part] = module.split(':');
    return `${path}.${kind}${part ? `:${part}` : ''}`;
  };
  const norm = (module: string): NormLayout => {
    const bias = withoutBias === 'all' ? null : tensor(module, 'bias');
    return { scale: tensor(module, 'weight'), bias, epsilon, ...(scaleOffset && { scaleOffset }) };
  };
  const linear = (module: string, hasBias = !withoutBias): ProductLayout => {
    const bias = hasBias ? tensor(module, 'bias') : null;
    return { values: tensor(module, 'weight'), scales: null, bias, factors: null, rounding: 'rows' };
  };
  const layerOf = (i: number): LayerLayout => {
    const parts = Object.entries(layer).map(([part, module]) => {
      const name = module.replace('#', String(i));
      return [part, /norm$/i.test(part) ? norm(name) : linear(name)] as const;
    });
    return { ...(Object.fromEntries(parts) as unknown as LayerLayout), ...partsOf?.(i) };
  };
  const layers = config.size(keys.layers);
  if (layers > maxLayers) throw new Error(`"${keys.layers}" of config.json is above ${maxLayers}`);
  const activation = config.choice(keys.activation, activations, family.activation ?? 'gelu');
  if (activation === 'silu' && !layer.gate)
    throw new Error(`"${keys.activation}" of config.json is an activation that this family doesn't have`);
  const head = scoresPairs ? family.score?.(config) : undefined;
  if (scoresPairs && !head)
    throw new Error("the native encoder doesn't compute scores of pairs for this family");
  const positionOffset = countsTokens ? config.count('pad_token_id', 1) + 1 : 0;
  config.refuseOthers();
  const all = Array.from({ length: isRepeated ? 1 : layers }, (_, i) => layerOf(i));
  const isRotary = all.some(({ turnBase }) => turnBase);
  return {
    heads,
    headSize: hidden / heads,
    activation,
    words: { values: firstTensor(family), scales: null },
    positions: isRotary ? null : `${positionsModule}.weight`,
    positionCount,
    positionOffset,
    distances: distances ?? null,
    types: hasTypes ? `${typesModule}.weight` : null,
    wordsNorm: wordsNorm === null ? null : norm(wordsNorm),
    widening: widening && has(`${widening}.weight`) ? linear(widening) : null,
    layers: all,
    ...(isRepeated && { repeats: layers }),
    ...(lastNorm && { lastNorm: norm(lastNorm) }),
    ...(head && {
      scorePooling: head.pooling,
      dense: head.products.map(({ module, hasBias = true, activation = 'identity', norm: after }, i) => ({
        product: linear(module, hasBias),
        columns: i === head.products.length - 1 ? 1 : hidden,
        activation,
        norm: after ? norm(after) : null,
      })),
    }),
    ...rest,
  };
}
