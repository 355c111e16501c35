import { keys } from './bert.ts';
import type { Family } from './family.ts';
import { basesOf, kindsOf } from './rotary.ts';

export const modernbert: Family = {
  keys: { ...keys, activation: 'hidden_activation' },
  only: { norm_bias: [false], attention_bias: [false], mlp_bias: [false] },
  // They are about how it is computed, about training, and about what follows the layers in other models.
  ignored: [
    ...[
      'reference_compile',
      'repad_logits_with_grad',
      'deterministic_flash_attn',
      'initializer_cutoff_factor',
    ],
    ...['sparse_prediction', 'sparse_pred_ignore_index', 'decoder_bias', 'layer_norm_eps'],
    ...['classifier_pooling', 'classifier_bias', 'classifier_activation', 'position_embedding_type'],
  ],
  words: 'embeddings.tok_embeddings',
  wordsNorm: 'embeddings.norm',
  lastNorm: 'final_norm',
  epsilon: ['norm_eps', 1e-5],
  withoutBias: 'all',
  layer: {
    attentionNorm: 'layers.#.attn_norm',
    queries: 'layers.#.attn.Wqkv:0/3',
    keys: 'layers.#.attn.Wqkv:1/3',
    values: 'layers.#.attn.Wqkv:2/3',
    context: 'layers.#.attn.Wo',
    upNorm: 'layers.#.mlp_norm',
    gate: 'layers.#.mlp.Wi:0/2',
    up: 'layers.#.mlp.Wi:1/2',
    down: 'layers.#.mlp.Wo',
  },
  score(config) {
    config.only('classifier_bias', [false]);
    config.only('classifier_activation', ['gelu']);
    return {
      pooling: config.choice('classifier_pooling', { cls: 'cls', mean: 'mean' }, 'cls'),
      products: [
        { module: 'head.dense', hasBias: false, activation: 'gelu', norm: 'head.norm' },
        { module: 'classifier' },
      ],
    };
  },
  rest(config) {
    const bases = basesOf(config, {
      full_attention: ['global_rope_theta', 160_000],
      sliding_attention: ['local_rope_theta', 10_000],
    });
    const [pattern, window] = [
      config.size('global_attn_every_n_layers', 3),
      config.size('local_attention', 128),
    ];
    const kindOf = kindsOf(config, (layer) => (layer % pattern ? 'sliding_attention' : 'full_attention'));
    return {
      partsOf(layer) {
        const kind = kindOf(layer);
        const reach = kind === 'sliding_attention' ? Math.floor(window / 2) : null;
        // The norm of the words is enough for the first layer.
        return {
          turnBase: bases[kind],
          before: reach,
          after: reach,
          ...(layer === 0 && { attentionNorm: null }),
        };
      },
    };
  },
};
