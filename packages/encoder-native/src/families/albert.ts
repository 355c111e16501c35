import { bert, keys } from './bert.ts';
import type { Family } from './family.ts';

const layer = 'encoder.albert_layer_groups.0.albert_layers.0';

export const albert: Family = {
  ...bert,
  keys,
  isRepeated: true,
  activation: 'gelu_new',
  only: { position_embedding_type: ['absolute'], num_hidden_groups: [1], inner_group_num: [1] },
  layer: {
    queries: `${layer}.attention.query`,
    keys: `${layer}.attention.key`,
    values: `${layer}.attention.value`,
    context: `${layer}.attention.dense`,
    contextNorm: `${layer}.attention.LayerNorm`,
    up: `${layer}.ffn`,
    down: `${layer}.ffn_output`,
    norm: `${layer}.full_layer_layer_norm`,
  },
  widening: 'encoder.embedding_hidden_mapping_in',
  score: () => ({
    pooling: 'cls',
    products: [{ module: 'pooler', activation: 'tanh' }, { module: 'classifier' }],
  }),
};
