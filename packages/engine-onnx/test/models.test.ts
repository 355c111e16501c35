import assert from 'node:assert/strict';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { lastHiddenState, pool, wordPieceIds } from '../../../test/helpers/models/bert-reference.ts';
import { bertWeights, tinyBert } from '../../../test/helpers/models/bert-weights.ts';
import { wordPieces } from '../../../test/helpers/models/wordpiece.ts';
import { writeBertModel } from '../../../test/helpers/models/write-bert-model.ts';
import type { InputType, ModelOverrides } from '../../engine/src/index.ts';
import { engineContract } from '../../engine/test/contract.ts';
import { directoryFingerprint, readModelDirectory } from '../src/model-directory.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { change, type Json, open, write } from './tiny-model.ts';

const pieces = wordPieces(tinyBert.vocabularySize);
const weights = bertWeights(tinyBert);
const texts = [
  'A cat sleeps.',
  'one',
  'Two trains, crossing each other at 10:45!',
  'the quick brown fox',
  'ab abc abcd',
];
const tolerance = 2e-6;

async function embed(
  directory: string,
  { inputs = texts, overrides = {}, as = 'document' as InputType } = {} as {
    inputs?: readonly string[];
    overrides?: ModelOverrides;
    as?: InputType;
  },
): Promise<Float32Array[]> {
  const engine = await open(directory, overrides);
  try {
    return await engine.run(await engine.prepare(inputs, as));
  } finally {
    await engine.close();
  }
}

const reference = (
  inputs: readonly string[],
  mode: 'mean' | 'cls' | 'last' | 'max',
  options: { decoder?: boolean; maxTokens?: number } = {},
): number[][] =>
  inputs.map((text) => {
    const ids = wordPieceIds(pieces, text);
    const max = options.maxTokens ?? ids.length;
    const cut = ids.length > max ? [...ids.slice(0, max - 1), ids.at(-1)!] : ids;
    return pool(lastHiddenState(weights, cut, options), mode);
  });

function assertClose(
  actual: readonly Float32Array[],
  expected: readonly number[][],
  atMost = tolerance,
): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((vector, i) => {
    const difference = Math.max(...vector.map((x, j) => Math.abs(x - expected[i]![j]!)));
    assert.equal(vector.length, expected[i]!.length);
    assert.ok(difference <= atMost, `vector ${i} differs by ${difference}`);
  });
}

const tiny = await write({ tokenTypes: true });
engineContract('a tiny BERT', () => open(tiny));

it('a BERT that quantizes while it runs gives a text the same vector alone as in any batch', async (t) => {
  const engine = await open(await write({ quantize: true }));
  t.after(() => engine.close());
  const prepared = await engine.prepare(texts, 'document');
  const together = await engine.run(prepared);
  for (const [i, text] of prepared.entries()) assert.deepEqual(await engine.run([text]), [together[i]]);
});

describe('a BERT’s vectors equal those of a forward pass in plain arithmetic', () => {
  for (const [pooling, mode] of [
    ['mean', 'mean'],
    ['cls', 'cls'],
    ['max', 'max'],
    ['lasttoken', 'last'],
  ] as const) {
    it(`pooled as 1_Pooling says: ${pooling}`, async () => {
      assertClose(await embed(await write({ pooling })), reference(texts, mode));
    });
  }

  it('pooled as requested, if no file says how', async () => {
    const directory = await write({ pooling: 'cls' });
    await rm(join(directory, '1_Pooling'), { recursive: true });
    assertClose(await embed(directory, { overrides: { pooling: 'max' } }), reference(texts, 'max'));
  });

  it('pooled by the graph itself and normalized, whatever 1_Pooling says', async () => {
    const directory = await write({ pooling: 'cls', outputs: ['token_embeddings', 'sentence_embedding'] });
    assertClose(await embed(directory), reference(texts, 'mean'));
  });

  it('with token_type_ids, and with the older name of the output', async () => {
    const directory = await write({ tokenTypes: true, outputs: ['token_embeddings'] });
    assertClose(await embed(directory), reference(texts, 'mean'));
  });

  it('of a language model, with positions, an empty past and the last token', async () => {
    const directory = await write({ decoder: true, pooling: 'lasttoken' });
    assertClose(await embed(directory), reference(texts, 'last', { decoder: true }));
  });

  it('in float16, to its precision', async () => {
    for (const output of ['last_hidden_state', 'sentence_embedding'] as const) {
      const directory = await write({ outputType: 'float16', outputs: [output] });
      assertClose(await embed(directory), reference(texts, 'mean'), 1e-3);
    }
  });

  it('cut at the limit with the special tokens kept', async () => {
    const maxTokens = 7;
    const inputs = ['one two three four five six seven', 'one'];
    const expected = reference(inputs, 'mean', { maxTokens });
    assertClose(await embed(await write({ maxTokens }), { inputs }), expected);
    assertClose(await embed(await write(), { inputs, overrides: { maxTokens } }), expected);
  });

  it('with modules.json alone, with 1_Pooling alone, and with pooling as newer files write it', async () => {
    const [modulesOnly, poolingOnly, named] = await Promise.all(
      [0, 1, 2].map(() => write({ pooling: 'max' })),
    );
    await rm(join(modulesOnly!, '2_Normalize'), { recursive: true, force: true });
    await rename(join(modulesOnly!, '1_Pooling'), join(modulesOnly!, 'pooling'));
    await change(modulesOnly!, 'modules.json', (modules) => {
      modules[1].path = 'pooling';
      modules[1].type = 'sentence_transformers.sentence_transformer.modules.Pooling';
    });
    await rm(join(poolingOnly!, 'modules.json'));
    await writeFile(
      join(named!, '1_Pooling/config.json'),
      JSON.stringify({ embedding_dimension: tinyBert.width, pooling_mode: 'max', include_prompt: true }),
    );
    for (const directory of [modulesOnly!, poolingOnly!, named!]) {
      assertClose(await embed(directory), reference(texts, 'max'));
    }
  });
});

describe('prompts', () => {
  const prompts = { query: 'search: ', passage: 'keep: ', other: 'else: ' };
  const expected = (prompt: string) =>
    reference(
      texts.map((text) => prompt + text),
      'mean',
    );

  it('precede queries and documents as the file names them', async () => {
    const directory = await write({ prompts });
    assertClose(await embed(directory, { as: 'query' }), expected('search: '));
    assertClose(await embed(directory, { as: 'document' }), expected('keep: '));
  });

  it('fall back to the default prompt, or to none', async () => {
    const directory = await write({
      prompts: { query: 'search: ', other: 'else: ' },
      defaultPromptName: 'other',
    });
    assertClose(await embed(directory, { as: 'document' }), expected('else: '));
    assertClose(await embed(await write({ prompts: { query: 'search: ' } })), expected(''));
  });

  it('can be set, also to an empty one', async () => {
    const directory = await write({ prompts });
    const overrides = { queryPrompt: '', documentPrompt: 'text: ' };
    assertClose(await embed(directory, { as: 'query', overrides }), expected(''));
    assertClose(await embed(directory, { as: 'document', overrides }), expected('text: '));
  });

  it('are refused where the pooling would have to leave them out', async () => {
    const directory = await write({ prompts });
    await change(directory, '1_Pooling/config.json', (config) => {
      config.include_prompt = false;
    });
    await assert.rejects(
      open(directory),
      /include_prompt.*EMBEDDING_QUERY_PROMPT and EMBEDDING_DOCUMENT_PROMPT/,
    );
    assertClose(await embed(directory, { overrides: { queryPrompt: '', documentPrompt: '' } }), expected(''));
  });
});

describe('what a model reports about itself', () => {
  it('includes its sizes, with those that it can be cut to, its limit and its fingerprint', async () => {
    const directory = await write({ matryoshkaDimensions: [16, 4, 8] });
    const overrides = { maxTokens: 12, queryPrompt: 'q: ' };
    const engine = await open(directory, overrides);
    await engine.close();
    const { dimensions, matryoshkaDimensions, maxTokens, fingerprint } = engine.model;
    assert.deepEqual([dimensions, matryoshkaDimensions, maxTokens], [tinyBert.width, [4, 8, 16], 12]);
    assert.equal(
      fingerprint,
      await directoryFingerprint(readModelDirectory(directory, overrides), overrides),
    );
    assert.equal(readModelDirectory(tiny).matryoshkaDimensions, undefined);
  });

  it('includes its limit, the smallest of those that are stated', async () => {
    const limitOf = async (edit: (directory: string) => Promise<void>, overrides?: ModelOverrides) => {
      const directory = await write();
      await edit(directory);
      return readModelDirectory(directory, overrides).maxTokens;
    };
    assert.equal(await limitOf(async () => {}), 64);
    assert.equal(
      await limitOf((d) => change(d, 'sentence_bert_config.json', (c) => (c.max_seq_length = 20))),
      20,
    );
    assert.equal(
      await limitOf((d) => change(d, 'tokenizer_config.json', (c) => (c.model_max_length = 30))),
      30,
    );
    assert.equal(
      await limitOf((d) => change(d, 'tokenizer_config.json', (c) => (c.model_max_length = 1e30))),
      64,
    );
    // RoBERTa's first position is 2, behind the padding's id.
    const roberta = (c: Json) => Object.assign(c, { model_type: 'xlm-roberta', pad_token_id: 1 });
    assert.equal(await limitOf((d) => change(d, 'config.json', roberta)), 62);
    assert.equal(await limitOf(async () => {}, { maxTokens: 12 }), 12);
  });

  it('includes a fingerprint of everything that determines a vector', async () => {
    const directory = await write({ prompts: { query: 'q: ' } });
    const fingerprintIn = (place: string, overrides?: ModelOverrides) =>
      directoryFingerprint(readModelDirectory(place, overrides), overrides);
    const seen = new Set<string>();
    const expectNew = async (what: string, overrides?: ModelOverrides) => {
      const fingerprint = await fingerprintIn(directory, overrides);
      assert.ok(!seen.has(fingerprint), what);
      seen.add(fingerprint);
    };
    await expectNew('as it is');
    const copy = join(await temporaryDirectory(), 'copy');
    await cp(directory, copy, { recursive: true });
    assert.deepEqual([...seen], [await fingerprintIn(copy)], 'whatever its place');
    await expectNew('prompt', { queryPrompt: '' });
    await expectNew('document prompt', { documentPrompt: '' });
    await expectNew('output', { output: 'last_hidden_state' });
    await expectNew('pooling', { pooling: 'mean' });
    await expectNew('limit', { maxTokens: 9 });
    for (const file of [
      'config.json',
      'tokenizer.json',
      'tokenizer_config.json',
      'modules.json',
      '1_Pooling/config.json',
      'sentence_bert_config.json',
      'config_sentence_transformers.json',
    ]) {
      await writeFile(join(directory, file), `${await readFile(join(directory, file), 'utf8')} `);
      await expectNew(file);
    }
    await writeFile(join(directory, 'onnx/model.onnx_data'), 'weights');
    await expectNew('weights beside the graph');
    await writeBertModel(directory, { file: 'onnx/model_quantized.onnx', prompts: { query: 'q: ' } });
    await expectNew('after it was written anew');
    await expectNew('dtype', { dtype: 'q8' });
  });
});

describe('dtypes', () => {
  it('name a file each, and the default is full precision', async () => {
    const directory = await write({ seed: 2 });
    await writeBertModel(directory, { file: 'onnx/model_quantized.onnx' });
    await writeBertModel(directory, { file: 'onnx/model_fp16.onnx', outputType: 'float16' });
    assertClose(await embed(directory, { overrides: { dtype: 'q8' } }), reference(texts, 'mean'));
    assertClose(await embed(directory, { overrides: { dtype: 'fp16' } }), reference(texts, 'mean'), 1e-3);
    const whole = await embed(directory);
    assert.deepEqual(await embed(directory, { overrides: { dtype: 'fp32' } }), whole);
    assert.throws(() => assertClose(whole, reference(texts, 'mean')));
    await assert.rejects(
      open(directory, { dtype: 'q4' }),
      /model_q4\.onnx; set EMBEDDING_DTYPE \(dtype in a file\) to one of fp16, fp32, int8, q8/,
    );
    await rm(join(directory, 'onnx/model.onnx'));
    await assert.rejects(open(directory), /set EMBEDDING_DTYPE \(dtype in a file\) to one of fp16, q8/);
    await rm(join(directory, 'onnx/model_fp16.onnx'));
    assertClose(await embed(directory), reference(texts, 'mean'));
  });

  it('are found beside the other files too', async () => {
    assertClose(await embed(await write({ file: 'model.onnx' })), reference(texts, 'mean'));
  });
});

describe('an undecidable model stops the start with a message that says what to set', () => {
  const refused = (what: string, edit: (directory: string) => Promise<unknown>, message: RegExp) =>
    it(what, async () => {
      const directory = await write();
      await edit(directory);
      await assert.rejects(open(directory), message);
    });
  const setPooling = (field: string, value: unknown) => (directory: string) =>
    change(directory, '1_Pooling/config.json', (config) => {
      config[field] = value;
    });

  refused(
    'no pooling',
    (d) => rm(join(d, '1_Pooling'), { recursive: true }),
    /does not say how to pool; set EMBEDDING_POOLING/,
  );
  refused(
    'two poolings',
    setPooling('pooling_mode_max_tokens', true),
    /pooling_mode_mean_tokens and pooling_mode_max_tokens, which only a graph with an output "sentence_embedding"/,
  );
  refused(
    'a pooling that is not supported',
    async (d) => {
      await setPooling('pooling_mode_mean_tokens', false)(d);
      await setPooling('pooling_mode_weightedmean_tokens', true)(d);
    },
    /pooling_mode_weightedmean_tokens, which only a graph with an output "sentence_embedding"/,
  );
  refused(
    'no limit',
    async (d) => {
      await rm(join(d, 'sentence_bert_config.json'));
      await change(d, 'tokenizer_config.json', (c) => delete c.model_max_length);
      await change(d, 'config.json', (c) => delete c.max_position_embeddings);
    },
    /set EMBEDDING_MAX_TOKENS/,
  );
  refused(
    'no graph',
    (d) => rm(join(d, 'onnx'), { recursive: true }),
    /no ONNX graph, neither onnx\/model\.onnx/,
  );
  refused(
    'no files of a model',
    async (d) => {
      await rm(d, { recursive: true });
      await mkdir(d);
    },
    /: \/\S+ has neither tokenizer\.json nor onnx\/model\.onnx/,
  );
  refused('a file that is not JSON', (d) => writeFile(join(d, 'config.json'), '{'), /config\.json: not JSON/);
  refused(
    'a file of another shape',
    (d) => writeFile(join(d, 'modules.json'), '{}'),
    /modules\.json: not a JSON array/,
  );
  refused(
    'a tokenizer of an unknown kind',
    (d) => change(d, 'tokenizer.json', (t) => (t.normalizer = { type: 'Mystery' })),
    /tokenizer\.json: data did not match any variant .*Normalizer/,
  );

  refused(
    'a tokenizer without a token for unknown letters',
    (d) => change(d, 'tokenizer.json', (t) => (t.model.unk_token = '[MISSING]')),
    /tokenizer\.json: .*\[UNK\]/,
  );

  it('has a limit above its positions', async () => {
    await assert.rejects(
      open(tiny, { maxTokens: 65 }),
      /EMBEDDING_MAX_TOKENS \(max_tokens in a file\) must be from 1 to 64/,
    );
  });
});
