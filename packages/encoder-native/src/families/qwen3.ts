import { keys } from './bert.ts';
import type { Family } from './family.ts';
import { decoder, decoderLayer } from './gemma3.ts';
import { basesOf, kindsOf } from './rotary.ts';

export const qwen3: Family = {
  ...decoder,
  keys,
  activation: 'silu',
  only: { ...decoder.only, use_sliding_window: [false] },
  // They describe a window that is not used.
  ignored: ['sliding_window', 'max_window_layers'],
  layer: { ...decoderLayer, upNorm: 'layers.#.post_attention_layernorm' },
  rest(config) {
    const { full_attention: turnBase } = basesOf(config, { full_attention: ['rope_theta', 10_000] });
    const kindOf = kindsOf(config, () => 'full_attention');
    return {
      headSize: config.size('head_dim', 128),
      keyHeads: config.size('num_key_value_heads', 32),
      usesRootMeanSquare: true,
      partsOf(layer) {
        if (kindOf(layer) === 'full_attention') return { turnBase, after: 0 };
        throw new Error('"layer_types" of config.json asks for a window, which "use_sliding_window" denies');
      },
    };
  },
};
