import type { Family } from './family.ts';

export const distilbert: Family = {
  keys: {
    hidden: 'dim',
    inner: 'hidden_dim',
    heads: 'n_heads',
    layers: 'n_layers',
    activation: 'activation',
  },
  layer: {
    queries: 'transformer.layer.#.attention.q_lin',
    keys: 'transformer.layer.#.attention.k_lin',
    values: 'transformer.layer.#.attention.v_lin',
    context: 'transformer.layer.#.attention.out_lin',
    contextNorm: 'transformer.layer.#.sa_layer_norm',
    up: 'transformer.layer.#.ffn.lin1',
    down: 'transformer.layer.#.ffn.lin2',
    norm: 'transformer.layer.#.output_layer_norm',
  },
  score: () => ({
    pooling: 'cls',
    products: [{ module: 'pre_classifier', activation: 'relu' }, { module: 'classifier' }],
  }),
};
