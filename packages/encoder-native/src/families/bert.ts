import type { Family, ScoreHead } from './family.ts';

export const keys = {
  hidden: 'hidden_size',
  inner: 'intermediate_size',
  heads: 'num_attention_heads',
  layers: 'num_hidden_layers',
  activation: 'hidden_act',
} as const;

export const bert: Family = {
  keys,
  only: {
    position_embedding_type: ['absolute'],
    is_decoder: [false],
    add_cross_attention: [false],
    is_encoder_decoder: [false],
  },
  sizes: ['type_vocab_size', 'embedding_size'],
  layer: {
    queries: 'encoder.layer.#.attention.self.query',
    keys: 'encoder.layer.#.attention.self.key',
    values: 'encoder.layer.#.attention.self.value',
    context: 'encoder.layer.#.attention.output.dense',
    contextNorm: 'encoder.layer.#.attention.output.LayerNorm',
    up: 'encoder.layer.#.intermediate.dense',
    down: 'encoder.layer.#.output.dense',
    norm: 'encoder.layer.#.output.LayerNorm',
  },
  hasTypes: true,
  score: () => ({
    pooling: 'cls',
    products: [{ module: 'pooler.dense', activation: 'tanh' }, { module: 'classifier' }],
  }),
};

/** The products that RoBERTa, ELECTRA and MPNet make a score with. */
export const scoreWith = (activation: 'gelu' | 'tanh') => (): ScoreHead => ({
  pooling: 'cls',
  products: [{ module: 'classifier.dense', activation }, { module: 'classifier.out_proj' }],
});

/** It can have a product after the embeddings. */
export const electra: Family = { ...bert, widening: 'embeddings_project', score: scoreWith('gelu') };

/** RoBERTa, XLM-RoBERTa and CamemBERT. */
export const roberta: Family = { ...bert, countsTokens: true, score: scoreWith('tanh') };
