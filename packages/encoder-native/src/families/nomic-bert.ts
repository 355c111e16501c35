import { bert, keys } from './bert.ts';
import type { Family } from './family.ts';
import { basesOf } from './rotary.ts';

export const nomicBert: Family = {
  keys,
  activation: 'silu',
  aliases: {
    n_embd: keys.hidden,
    n_inner: keys.inner,
    n_head: keys.heads,
    n_layer: keys.layers,
    activation_function: keys.activation,
    n_positions: 'max_position_embeddings',
    layer_norm_epsilon: 'layer_norm_eps',
    rotary_emb_base: 'rope_theta',
  },
  only: {
    causal: [false],
    prenorm: [false],
    parallel_block: [false],
    parallel_block_tied_norm: [false],
    qkv_proj_bias: [false],
    mlp_fc1_bias: [false],
    mlp_fc2_bias: [false],
    rotary_emb_fraction: [1],
    rotary_emb_interleaved: [false],
    scale_attn_weights: [true],
    scale_attn_by_inverse_layer_idx: [false],
    use_rms_norm: [false],
  },
  sizes: bert.sizes!.slice(0, 1),
  // Texts longer than the trained positions are only computed otherwise with a `rotary_scaling_factor`, which is refused.
  ignored: [
    ...['attn_pdrop', 'embd_pdrop', 'resid_pdrop', 'max_trained_positions', 'pad_vocab_size_multiple'],
    ...['use_flash_attn', 'use_xentropy', 'fused_bias_fc', 'fused_dropout_add_ln', 'dense_seq_output'],
    // The authors' own code, which computes the same.
    ...['last_layer_subset', 'reorder_and_upcast_attn', 'auto_map'],
  ],
  wordsNorm: 'emb_ln',
  hasTypes: true,
  score: bert.score!,
  withoutBias: 'products',
  layer: {
    queries: 'encoder.layers.#.attn.Wqkv:0/3',
    keys: 'encoder.layers.#.attn.Wqkv:1/3',
    values: 'encoder.layers.#.attn.Wqkv:2/3',
    context: 'encoder.layers.#.attn.out_proj',
    contextNorm: 'encoder.layers.#.norm1',
    gate: 'encoder.layers.#.mlp.fc12',
    up: 'encoder.layers.#.mlp.fc11',
    down: 'encoder.layers.#.mlp.fc2',
    norm: 'encoder.layers.#.norm2',
  },
  rest(config, { hidden, heads }) {
    config.only('head_dim', [hidden / heads]);
    const { full_attention: turnBase } = basesOf(config, { full_attention: ['rope_theta', 1_000] });
    return { partsOf: () => ({ turnBase }) };
  },
};
