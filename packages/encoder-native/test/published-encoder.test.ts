import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../../test/helpers/directory.ts';
import { untilEnd } from '../../../test/helpers/until-end.ts';
import { cosine } from '../../engine/src/index.ts';
import {
  openWeights,
  readWeights,
  weightsFile,
  weightsIndex,
  writeWeights,
} from '../../onnx-int8/src/index.ts';
import {
  convertEncoder,
  layoutIn,
  NativeEncoder,
  nativeKernel,
  readPublished,
  type TokenBatch,
} from '../src/index.ts';
import type { PublishedEncoder } from '../src/published-encoder.ts';

const skip = nativeKernel === undefined && 'the native encoder is not built, or not for this processor';
const root = fileURLToPath(new URL('families', import.meta.url));
const names = readdirSync(root, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
);
const scratch = untilEnd(temporaryDirectory()).path;
const poolings = ['mean', 'cls'] as const;

type Json = Record<string, unknown>;
const jsonOf = (name: string, file: string) => JSON.parse(readFileSync(join(root, name, file), 'utf8'));
const fileOf = (name: string) => join(root, name, name === 'roberta' ? weightsIndex : weightsFile);
const published = (name: string, changes: Json = {}, scoresPairs = false) =>
  readPublished(fileOf(name), { ...jsonOf(name, 'config.json'), ...changes }, { scoresPairs });

/** Returns the texts that transformers has computed, with types if they are pairs. */
function batchOf(name: string, arePairs = false): TokenBatch {
  const { texts, types }: Record<'texts' | 'types', number[][]> = jsonOf(name, 'vectors.json');
  const typeIds = arePairs ? Int32Array.from(types.flat()) : undefined;
  return { ids: Int32Array.from(texts.flat()), typeIds, tokenCounts: texts.map(({ length }) => length) };
}

/** Returns the lowest cosine between the vectors of an encoder and those that transformers has computed. */
async function lowestCosine(name: string, encoder: NativeEncoder): Promise<number> {
  const expected = jsonOf(name, 'vectors.json');
  let lowest = 1;
  for (const pooling of poolings) {
    const vectors = await encoder.compute(batchOf(name), pooling);
    for (const [i, vector] of expected[pooling].entries()) {
      const actual = vectors.subarray(i * encoder.dimensions, (i + 1) * encoder.dimensions);
      lowest = Math.min(lowest, cosine(Float32Array.from(vector), actual));
    }
  }
  encoder.close();
  return lowest;
}

/** Returns the largest difference between the scores of an encoder and those of transformers, alone and together. */
async function largestDifference(name: string, { layout, ...from }: PublishedEncoder): Promise<number> {
  const encoder = new NativeEncoder({ layout, ...from }, 1);
  const batch = batchOf(name, true);
  const scores = await encoder.compute(batch, layout.scorePooling!);
  let at = 0;
  for (const [i, count] of batch.tokenCounts.entries()) {
    const [ids, typeIds] = [batch.ids, batch.typeIds!].map((all) => all.slice(at, at + count));
    const [alone] = await encoder.compute({ ids: ids!, typeIds, tokenCounts: [count] }, layout.scorePooling!);
    assert.equal(alone, scores[i]);
    at += count;
  }
  encoder.close();
  const expected: number[] = jsonOf(name, 'vectors.json').scores;
  return Math.max(...expected.map((score, i) => Math.abs(score - scores[i]!)));
}

describe('a published folder', { skip }, () => {
  for (const name of names) {
    it(`of ${name} has the vectors of transformers in float32, and close ones in int8`, async () => {
      const from = published(name);
      const lowest = await lowestCosine(name, new NativeEncoder(from, 1));
      assert.ok(lowest > 0.999999, `float32: ${lowest}`);
      const to = join(scratch, `${name}.safetensors`);
      assert.ok((await convertEncoder({ from, to, texts: batchOf(name) })) >= 6);
      const rounded = await lowestCosine(name, new NativeEncoder(readPublished(to, {}), 1));
      assert.ok(rounded > 0.99 && rounded < 0.999999, `int8: ${rounded}`);
    });

    it(`of ${name} has the scores of transformers in float32, and close ones in int8`, async () => {
      const from = published(name, {}, true);
      const difference = await largestDifference(name, from);
      assert.ok(difference < 1e-5, `float32: ${difference}`);
      const to = join(scratch, `${name}-scores.safetensors`);
      await convertEncoder({ from, to, texts: batchOf(name, true) });
      const rounded = await largestDifference(name, readPublished(to, {}));
      // Of scores from -2 to 2.
      assert.ok(rounded < 0.25 && rounded > 1e-5, `int8: ${rounded}`);
    });
  }

  it('is refused if a matrix is stored the other way around', () => {
    const from = published('bert');
    const { values } = from.layout.layers[0]!.up;
    const tensor = (name: string) => {
      const found = from.tensor(name);
      return name === values ? { ...found, shape: found.shape.toReversed() } : found;
    };
    assert.throws(() => new NativeEncoder({ ...from, tensor }, 1), /has the shape 32 × 48 and not 32 × 32/);
  });

  it('is refused if it makes several scores of a pair, or if the classifier is another one', () => {
    const { weights, stored } = published('bert', {}, true);
    const file = join(scratch, 'several.safetensors');
    const tensors = [...weights.tensors.keys()].map((name) => {
      const { shape, bytes } = readWeights(weights, stored(name));
      const values = new Float32Array(new Uint8Array(bytes).buffer);
      return name === 'classifier.weight'
        ? { name, shape: [2, 32], values: new Float32Array(64) }
        : { name, shape: [...shape], values };
    });
    writeWeights(file, tensors, {});
    const config = jsonOf('bert', 'config.json');
    assert.throws(() => readPublished(file, config, { scoresPairs: true }), /a pair has 2 scores/);
    const without = join(scratch, 'without.safetensors');
    writeWeights(
      without,
      tensors.filter(({ name }) => !name.startsWith('classifier')),
      {},
    );
    assert.throws(() => readPublished(without, config, { scoresPairs: true }), /no tensor "bert.classifier/);
    const { layout, ...from } = published('bert', {}, true);
    const dense = layout.dense!.map((one) => ({ ...one, activation: 'selu' as 'gelu' }));
    assert.throws(() => new NativeEncoder({ ...from, layout: { ...layout, dense } }, 1), /"selu" is not an/);
    assert.throws(
      () => published('modernbert', { classifier_activation: 'relu' }, true),
      /"classifier_activation" of config.json is relu/,
    );
  });

  it('has the same layout by the keys of its authors and by those of transformers 5', () => {
    const { rope_parameters: _, layer_types: __, ...qwen3 } = jsonOf('qwen3', 'config.json');
    const { rope_parameters: ___, layer_types: ____, ...gemma3 } = jsonOf('gemma3', 'config.json');
    const {
      rope_parameters: _____,
      layer_types: ______,
      ...modernbert
    } = jsonOf('modernbert', 'config.json');
    const nomicBert = {
      model_type: 'nomic_bert',
      n_embd: 64,
      n_inner: 48,
      n_head: 2,
      n_layer: 2,
      n_positions: 24,
      vocab_size: 40,
      type_vocab_size: 2,
      activation_function: 'swiglu',
      layer_norm_epsilon: 1e-3,
      rotary_emb_base: 500,
      rotary_emb_fraction: 1,
      rotary_emb_interleaved: false,
      rotary_emb_scale_base: null,
      rotary_scaling_factor: null,
      causal: false,
      prenorm: false,
      qkv_proj_bias: false,
      mlp_fc1_bias: false,
      mlp_fc2_bias: false,
      use_rms_norm: false,
      parallel_block: false,
      scale_attn_weights: true,
      max_trained_positions: 2048,
      use_flash_attn: true,
    };
    // Other values than those of missing keys.
    const changed: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      qwen3: { rope_parameters: { rope_type: 'default', rope_theta: 500 } },
      'nomic-bert': {
        layer_norm_eps: 1e-3,
        rope_parameters: { rope_type: 'default', rope_theta: 500 },
      },
    };
    const pairs = [
      ['qwen3', { ...qwen3, rope_theta: 500, rope_scaling: null }],
      ['gemma3', { ...gemma3, rope_theta: 1_000, rope_local_base_freq: 100, _sliding_window_pattern: 2 }],
      ['modernbert', { ...modernbert, global_rope_theta: 1_000, local_rope_theta: 100 }],
      ['nomic-bert', nomicBert],
    ] as const;
    for (const [name, ofAuthors] of pairs)
      assert.deepEqual(
        layoutIn(ofAuthors),
        layoutIn({ ...jsonOf(name, 'config.json'), ...changed[name] }),
        name,
      );
  });

  it('is refused if config.json has a key or a value that its page does not know', () => {
    for (const [name, changes, message] of [
      [
        'bert',
        { attn_logit_softcapping: 30 },
        /doesn't know the key "attn_logit_softcapping" of config.json/,
      ],
      ['bert', { hidden_act: 'relu' }, /"hidden_act" of config.json is relu, .* only knows gelu, /],
      [
        'bert',
        { position_embedding_type: 'relative_key' },
        /"position_embedding_type" .* only knows absolute/,
      ],
      ['bert', { is_decoder: true }, /"is_decoder" of config.json is true/],
      ['bert', { num_hidden_layers: 0 }, /"num_hidden_layers" of config.json is not a positive integer/],
      ['bert', { num_hidden_layers: 1_000_000_000 }, /"num_hidden_layers" of config.json is above 1000/],
      ['mpnet', { num_attention_heads: 1_000_000 }, /has another number of heads/],
      ['bert', { num_attention_heads: 3 }, /a width is not a multiple of 16/],
      [
        'bert',
        { hidden_size: 64 },
        /"encoder.layer.0.attention.self.query.weight" has the shape 32 × 32 and not 64 × 32/,
      ],
      ['bert', { max_position_embeddings: 25 }, /has 24 rows, and config.json states 25/],
      ['bert', { constructor: 1 }, /doesn't know the key "constructor" of config.json/],
      ['roberta', { pad_token_id: 1.5 }, /"pad_token_id" of config.json is not an integer from 0 on/],
      ['mpnet', { relative_attention_num_buckets: 64 }, /"relative_attention_num_buckets" .* only knows 32/],
      ['gemma3', { layer_types: Array(1_000_000).fill('x') }, /doesn't know the "layer_types".{1,230}$/],
      [
        'gemma3',
        { max_position_embeddings: 1_000_000, head_dim: 512, query_pre_attn_scalar: 512 },
        /1000000 positions have more than 67108864 numbers/,
      ],
      [
        'bert',
        { num_hidden_layers: 2 },
        /no tensor "bert.encoder.layer.1.attention.output.LayerNorm.weight"/,
      ],
      ['bert', { hidden_act: 'silu' }, /"hidden_act" .* activation that this family doesn't have/],
      ['gemma3', { attn_logit_softcapping: 50 }, /doesn't know the key "attn_logit_softcapping"/],
      ['gemma3', { rope_scaling: { rope_type: 'linear', factor: 8 } }, /doesn't know the key "rope_scaling"/],
      ['gemma3', { query_pre_attn_scalar: 64 }, /"query_pre_attn_scalar" .* differs from "head_dim"/],
      ['gemma3', { query_pre_attn_scalar: null }, /"query_pre_attn_scalar" .* differs from "head_dim"/],
      ['qwen3', { max_position_embeddings: 10_000_000 }, /"max_position_embeddings" .* is above 1048576/],
      ['qwen3', { rope_parameters: { rope_theta: -1 } }, /doesn't know the "rope_parameters"/],
      ['qwen3', { auto_map: { AutoModel: 'own.Model' } }, /doesn't know the key "auto_map"/],
      ['nomic-bert', { n_head: 2 }, /has both "n_head" and "num_attention_heads"/],
      ['gemma3', { layer_types: ['full_attention', 'chunked'] }, /doesn't know the "layer_types"/],
      ['gemma3', { layer_types: ['full_attention'] }, /fewer entries than there are layers/],
      ['gemma3', { num_key_value_heads: 3 }, /k_proj.weight" has the shape 32 × 32 and not 96 × 32/],
      [
        'qwen3',
        { rope_parameters: { rope_type: 'yarn', rope_theta: 1e4, factor: 4 } },
        /doesn't know the "rope_parameters"/,
      ],
      ['qwen3', { attention_bias: true }, /"attention_bias" of config.json is true/],
      ['qwen3', { use_sliding_window: true }, /"use_sliding_window" of config.json is true/],
      ['modernbert', { norm_bias: true }, /"norm_bias" of config.json is true/],
      ['nomic-bert', { rotary_scaling_factor: 2 }, /doesn't know the key "rotary_scaling_factor"/],
      ['nomic-bert', { prenorm: true }, /"prenorm" of config.json is true/],
      ['albert', { num_hidden_groups: 2 }, /"num_hidden_groups" of config.json is 2/],
      [
        'mpnet',
        { model_type: 'deberta-v2' },
        /doesn't know the "model_type" deberta-v2 .* only albert, bert, /,
      ],
    ] as const)
      assert.throws(() => new NativeEncoder(published(name, changes), 1), message);
    // What transformers computes where the keys are missing.
    const { hidden_act: _, rms_norm_eps: __, ...withoutKeys } = jsonOf('qwen3', 'config.json');
    const { activation, layers } = layoutIn(withoutKeys);
    assert.deepEqual([activation, layers[0]?.upNorm?.epsilon], ['silu', 1e-6]);
    assert.equal(
      published('bert', {
        unknown: null,
        hidden_dropout_prob: 0.2,
        tokenizer_class: 'XLMRobertaTokenizer',
        sbert_ce_default_activation_function: 'torch.nn.modules.linear.Identity',
      }).layout.layers.length,
      1,
    );
  });
});

describe('weights in safetensors', () => {
  const whole = readFileSync(fileOf('bert'));
  const length = Number(whole.readBigUInt64LE());
  const header: Record<string, Json> = JSON.parse(whole.subarray(8, 8 + length).toString());
  const [key = ''] = Object.keys(header).filter((name) => name !== '__metadata__');
  let count = 0;
  const withHeader = (text: string, rest = whole.subarray(8 + length)): string => {
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(Buffer.byteLength(text)));
    return withBytes(Buffer.concat([size, Buffer.from(text), rest]));
  };
  const withBytes = (bytes: Uint8Array): string => {
    const file = join(scratch, `${count++}.safetensors`);
    writeFileSync(file, bytes);
    return file;
  };
  const changed = (change: Json) =>
    withHeader(JSON.stringify({ ...header, [key]: { ...header[key], ...change } }));

  it('are refused if a length, a place or a shape leads out of the file, or contradicts another', () => {
    const { data_offsets: offsets, shape } = header[key]!;
    const [begin, end] = offsets as number[];
    assert.equal(openWeights(changed({})).tensors.size, Object.keys(header).length - 1);
    const files = [
      withBytes(whole.subarray(0, 7)),
      withBytes(whole.subarray(0, 100)),
      withBytes(whole.subarray(0, whole.length - 1)),
      ...[2n ** 64n - 1n, 2n ** 53n, BigInt(whole.length)].map((size) => {
        const bytes = Buffer.from(whole);
        bytes.writeBigUInt64LE(size);
        return withBytes(bytes);
      }),
      ...[
        [-4, end! - 4],
        [begin, end! + 4],
        [end, begin],
        [begin],
        [begin, 2 ** 60],
        [0.5, 4.5],
        'x',
        null,
      ].map((place) => changed({ data_offsets: place })),
      ...[[...(shape as number[]), 2], [-1], [2 ** 53], ['2'], null, Array(9).fill(1)].map((wrong) =>
        changed({ shape: wrong }),
      ),
      changed({ dtype: 'F16' }),
      // The place of another tensor.
      changed({ data_offsets: [begin! + 4, end! + 4] }),
      withHeader(JSON.stringify({ ...header, more: header[key] })),
    ];
    for (const file of files)
      assert.throws(() => openWeights(file), { message: /not a file of safetensors, or not all of one: / });
    for (const text of ['', '{', 'null x'])
      assert.throws(() => openWeights(withHeader(text)), /its JSON can't be read/);
    for (const text of ['null', '[]', '7', '{}']) assert.equal(openWeights(withHeader(text)).tensors.size, 0);
  });

  it('are refused if the index of several files names others, or tensors that they lack', () => {
    const folder = join(scratch, 'shards');
    cpSync(join(root, 'roberta'), folder, { recursive: true });
    const index = join(folder, weightsIndex);
    const stated = JSON.parse(readFileSync(index, 'utf8'));
    assert.equal(openWeights(index).files.length, 3);
    const refuses = (map: unknown, message: RegExp) => {
      writeFileSync(index, JSON.stringify({ ...stated, weight_map: map }));
      assert.throws(() => openWeights(index), message);
    };
    for (const name of ['../bert/model.safetensors', '/etc/passwd', 'model.bin', '.safetensors', 7, null])
      refuses({ ...stated.weight_map, more: name }, /must have the name of a file beside it for each tensor/);
    for (const map of [undefined, {}, []]) refuses(map, /must have the name of a file beside it/);
    refuses({ ...stated.weight_map, more: 'model-00001-of-00002.safetensors' }, /has no tensor "more"/);
    refuses({ ...stated.weight_map, more: 'model-00003-of-00003.safetensors' }, /ENOENT/);
  });
});
