import { keys } from './bert.ts';
import type { Family } from './family.ts';
import { basesOf, kindsOf } from './rotary.ts';

/** What Gemma 3 and Qwen3 call alike. */
export const decoder = {
  words: 'embed_tokens',
  wordsNorm: null,
  lastNorm: 'norm',
  epsilon: ['rms_norm_eps', 1e-6],
  withoutBias: 'all',
  only: { attention_bias: [false] },
  score: () => ({ pooling: 'last', products: [{ module: 'score', hasBias: false }] }),
} as const satisfies Partial<Family>;
export const decoderLayer = {
  attentionNorm: 'layers.#.input_layernorm',
  queries: 'layers.#.self_attn.q_proj',
  keys: 'layers.#.self_attn.k_proj',
  values: 'layers.#.self_attn.v_proj',
  queryNorm: 'layers.#.self_attn.q_norm',
  keyNorm: 'layers.#.self_attn.k_norm',
  context: 'layers.#.self_attn.o_proj',
  gate: 'layers.#.mlp.gate_proj',
  up: 'layers.#.mlp.up_proj',
  down: 'layers.#.mlp.down_proj',
};

/** EmbeddingGemma too. */
export const gemma3: Family = {
  ...decoder,
  keys: { ...keys, activation: 'hidden_activation' },
  activation: 'gelu_pytorch_tanh',
  layer: {
    ...decoderLayer,
    contextResultNorm: 'layers.#.post_attention_layernorm',
    upNorm: 'layers.#.pre_feedforward_layernorm',
    downResultNorm: 'layers.#.post_feedforward_layernorm',
  },
  rest(config, { hidden }) {
    const headSize = config.size('head_dim', 256);
    // What scores are divided by the root of.
    if (config.number('query_pre_attn_scalar', 256) !== headSize)
      throw new Error('"query_pre_attn_scalar" of config.json differs from "head_dim"');
    const bases = basesOf(config, {
      full_attention: ['rope_theta', 1_000_000],
      sliding_attention: ['rope_local_base_freq', 10_000],
    });
    const [pattern, window] = [
      config.size('sliding_window_pattern', config.size('_sliding_window_pattern', 6)),
      config.size('sliding_window', 4_096),
    ];
    const kindOf = kindsOf(config, (layer) =>
      (layer + 1) % pattern ? 'sliding_attention' : 'full_attention',
    );
    const seesAfter = config.flag('use_bidirectional_attention', false);
    // One half of an even window on each side; or its own token and those before it.
    const reach = seesAfter ? Math.floor(window / 2) : window - 1;
    return {
      headSize,
      keyHeads: config.size('num_key_value_heads', 4),
      usesRootMeanSquare: true,
      scaleOffset: 1,
      wordFactor: Math.sqrt(hidden),
      partsOf(layer) {
        const kind = kindOf(layer);
        const before = kind === 'sliding_attention' ? reach : null;
        return { turnBase: bases[kind], before, after: seesAfter ? before : 0 };
      },
    };
  },
};
