import { keys, scoreWith } from './bert.ts';
import type { Family } from './family.ts';

export const mpnet: Family = {
  keys,
  // transformers counts 32 buckets, whatever config.json says.
  only: { relative_attention_num_buckets: [32] },
  layer: {
    queries: 'encoder.layer.#.attention.attn.q',
    keys: 'encoder.layer.#.attention.attn.k',
    values: 'encoder.layer.#.attention.attn.v',
    context: 'encoder.layer.#.attention.attn.o',
    contextNorm: 'encoder.layer.#.attention.LayerNorm',
    up: 'encoder.layer.#.intermediate.dense',
    down: 'encoder.layer.#.output.dense',
    norm: 'encoder.layer.#.output.LayerNorm',
  },
  distances: 'encoder.relative_attention_bias.weight',
  countsTokens: true,
  score: scoreWith('tanh'),
};
