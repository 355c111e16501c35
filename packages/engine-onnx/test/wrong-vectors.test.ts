import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { bertModel } from '../../../test/helpers/models/bert-graph.ts';
import { bertWeights, tinyBert } from '../../../test/helpers/models/bert-weights.ts';
import { addUnknownRow } from '../../../test/helpers/models/poison.ts';
import { type ModelOverrides, PartlyFailed } from '../../engine/src/index.ts';
import { encodeOnnxModel, type OnnxModel, type OnnxValue } from '../../onnx-int8/src/index.ts';
import { change, hidden, node, open, withOutputs, write } from './tiny-model.ts';

const withOutput = (nodes: OnnxModel['nodes'], output: OnnxValue) => withOutputs(nodes, [output]);
const integer = (name: string, value: bigint) => ({ name, shape: [1], values: BigInt64Array.of(value) });
const perText = ['batch', tinyBert.width];
const perToken = ['batch', 'tokens', tinyBert.width];

const someNumbers = (count: number) => Float32Array.from({ length: count }, (_, i) => Math.sin(i));

/** The vectors of texts, of their first tokens, beside others of tokens. */
const denseAndColbert = () =>
  withOutputs(
    [
      node('MatMul', 'colbert_vecs', {}, [hidden, 'turn']),
      node('Gather', 'dense_vecs', { axis: { int: 1 } }, [hidden, 'first']),
    ],
    [
      { name: 'dense_vecs', type: 'float32', shape: perText },
      { name: 'colbert_vecs', type: 'float32', shape: perToken },
    ],
    [
      { name: 'turn', shape: [tinyBert.width, tinyBert.width], values: someNumbers(tinyBert.width ** 2) },
      { name: 'first', shape: [], values: BigInt64Array.of(0n) },
    ],
  );

async function withInput(name: string): Promise<string> {
  const directory = await write();
  const model = bertModel(bertWeights(tinyBert));
  const inputs = [...model.inputs, { name, type: 'int64' as const, shape: ['batch'] }];
  await writeFile(join(directory, 'onnx/model.onnx'), encodeOnnxModel({ ...model, inputs }));
  return directory;
}

describe('a graph with wrong vectors stops the start', () => {
  const refused = (
    what: string,
    directory: () => Promise<string>,
    message: RegExp,
    overrides?: ModelOverrides,
  ) =>
    it(what, async () => {
      const path = await directory();
      await assert.rejects(open(path, overrides), (reason: Error) => {
        assert.match(reason.message, message);
        assert.ok(reason.message.includes(path) || overrides !== undefined, reason.message);
        return true;
      });
    });

  refused(
    'with a vector a token in place of one a text',
    () =>
      withOutput([node('Identity', 'sentence_embedding')], {
        name: 'sentence_embedding',
        type: 'float32',
        shape: perToken,
      }),
    /model\.onnx: the output "sentence_embedding" has the shape batch × tokens × 16, not one vector per text/,
  );
  refused(
    'that pools padding as well, so that neighbors change a vector',
    () =>
      withOutput([node('ReduceMean', 'sentence_embedding', { axes: { ints: [1] }, keepdims: { int: 0 } })], {
        name: 'sentence_embedding',
        type: 'float32',
        shape: perText,
      }),
    /model\.onnx: a text gets a different vector with other texts than alone \(cosine 0\.\d+\)/,
  );
  refused(
    'with vectors of integers',
    () =>
      withOutput([node('Cast', 'sentence_embedding', { to: { int: 7 } })], {
        name: 'sentence_embedding',
        type: 'int64',
        shape: perToken,
      }),
    /the output "sentence_embedding" has the type int64; only float32 and float16 are supported/,
  );
  refused(
    'with vectors of zeros',
    () =>
      withOutput(
        [
          node('Sub', 'zeros', {}, [hidden, hidden]),
          node('ReduceMean', 'sentence_embedding', { axes: { ints: [1] }, keepdims: { int: 0 } }, ['zeros']),
        ],
        { name: 'sentence_embedding', type: 'float32', shape: perText },
      ),
    /a vector has the length 0/,
  );
  refused(
    'whose limit leaves no room for a text after the special tokens',
    () => write(),
    /the 2 tokens that the model reads leave no room .*EMBEDDING_MAX_TOKENS/,
    { maxTokens: 2 },
  );
  refused(
    'whose limit leaves no room for a text behind a prompt',
    () => write(),
    /leave no room for a text after the special tokens and the query prompt/,
    { maxTokens: 8, queryPrompt: 'represent this sentence for searching: ' },
  );

  const vectors = (name: string, shape: (string | number)[]): OnnxValue => ({ name, type: 'float32', shape });
  const vocabulary = 40;
  const scores = () =>
    withOutputs(
      [node('MatMul', 'logits', {}, [hidden, 'scores'])],
      [vectors('logits', ['batch', 'tokens', vocabulary])],
      [
        {
          name: 'scores',
          shape: [tinyBert.width, vocabulary],
          values: someNumbers(tinyBert.width * vocabulary),
        },
      ],
    );
  refused(
    'whose only output has the scores of the vocabulary',
    scores,
    /no output is known .*; set EMBEDDING_OUTPUT \(output in a file\) to the one that does: logits/,
  );
  refused(
    'whose configured output has the scores of the vocabulary',
    scores,
    /the output "logits" has vectors of the size 40, but 1_Pooling\/config\.json states 16/,
    { output: 'logits' },
  );
  refused(
    'whose output of tokens has another size than the model inside',
    async () => {
      const directory = await write();
      await rm(join(directory, '1_Pooling'), { recursive: true });
      await change(directory, 'config.json', (config) => {
        config.hidden_size = 8;
      });
      return directory;
    },
    /the output "last_hidden_state" has vectors of the size 16, but config\.json states 8/,
    { pooling: 'mean' },
  );
  refused(
    'whose own vector has another size than its files state',
    async () => {
      const directory = await write({ outputs: ['sentence_embedding'] });
      await change(directory, '1_Pooling/config.json', (config) => {
        config.word_embedding_dimension = 8;
      });
      return directory;
    },
    /the output "sentence_embedding" has vectors of the size 16, but 1_Pooling\/config\.json states 8/,
  );
  refused(
    'whose dimensions are not stated anywhere',
    async () => {
      const name = 'sentence_embedding';
      const cast = node('Cast', name, { to: { int: 1 } }, ['input_ids']);
      const directory = await withOutput([cast], { name, type: 'float32', shape: ['batch', 'tokens'] });
      await rm(join(directory, '1_Pooling'), { recursive: true });
      await change(directory, 'config.json', (config) => delete config.hidden_size);
      return directory;
    },
    /neither the graph nor a file says how many dimensions/,
  );
  refused(
    'that has the vectors of ColBERT beside those of texts',
    denseAndColbert,
    /set EMBEDDING_OUTPUT .*: dense_vecs, colbert_vecs$/,
  );
  refused(
    'with two outputs that can have the vectors of tokens',
    () =>
      withOutputs(
        [node('Identity', 'first'), node('Identity', 'second')],
        [vectors('first', perToken), vectors('second', perToken)],
      ),
    /set EMBEDDING_OUTPUT .*: first, second$/,
  );
  refused(
    'without the configured output',
    () => write(),
    /EMBEDDING_OUTPUT \(output in a file\) is "tokens", but the graph's outputs are last_hidden_state/,
    { output: 'tokens' },
  );
  for (const type of ['Dense', 'LayerNorm', 'SpladePooling']) {
    refused(
      `without the module ${type} of its files, whatever pooling is configured`,
      async () => {
        const directory = await write();
        await change(directory, 'modules.json', (modules) =>
          modules.push({ path: `2_${type}`, type: `sentence_transformers.models.${type}` }),
        );
        return directory;
      },
      new RegExp(`modules\\.json asks for ${type}, which only a graph with an output "sentence_embedding"`),
      { pooling: 'mean' },
    );
  }
  refused(
    'whose own pooling the configured one would replace',
    () => write({ outputs: ['sentence_embedding', 'token_embeddings'] }),
    /the output "sentence_embedding" has one vector per text.*remove EMBEDDING_POOLING .*or set EMBEDDING_OUTPUT/,
    { pooling: 'mean' },
  );
  refused(
    'whose files state another pooling than the configured one',
    () => write({ pooling: 'cls' }),
    /1_Pooling\/config\.json asks for the pooling cls, but EMBEDDING_POOLING .* is mean; remove the wrong one/,
    { pooling: 'mean' },
  );
  for (const [input, message] of [
    ['offsets', /the graph's input "offsets" is that of a static model.*not supported; use/],
    ['pixels', /model\.onnx: the graph's input "pixels" is unknown/],
    ['task_id', /the graph's input "task_id" is that of a model with an adapter.*not supported; use/],
  ] as const) {
    refused(`of a kind that is not supported, with the input ${input}`, () => withInput(input), message);
  }

  it('unless its output is configured', async () => {
    const texts = ['a text', 'one more'];
    const vectorsFrom = async (directory: string, overrides: ModelOverrides) => {
      const engine = await open(directory, overrides);
      const vectors = await engine.run(await engine.prepare(texts, 'document'));
      await engine.close();
      return vectors;
    };
    const expected = await vectorsFrom(await write({ pooling: 'cls' }), {});
    assert.deepEqual(await vectorsFrom(await denseAndColbert(), { output: 'dense_vecs' }), expected);
    const both = await write({ pooling: 'cls', outputs: ['sentence_embedding', 'token_embeddings'] });
    assert.deepEqual(await vectorsFrom(both, { output: 'token_embeddings', pooling: 'cls' }), expected);
  });

  it('unless it returns one vector per text with an additional dimension of 1', async () => {
    const engine = await open(
      await withOutputs(
        [node('Slice', 'sentence_embedding', {}, [hidden, 'zero', 'one', 'one'])],
        [{ name: 'sentence_embedding', type: 'float32', shape: ['batch', 1, tinyBert.width] }],
        [integer('zero', 0n), integer('one', 1n)],
      ),
    );
    const [vector] = await engine.run(await engine.prepare(['a text'], 'document'));
    assert.equal(vector?.length, tinyBert.width);
    await engine.close();
  });
});

describe('a text that makes ONNX Runtime fail', () => {
  it('fails alone', async () => {
    const directory = await write();
    await addUnknownRow(directory, 'zzpoison');
    const engine = await open(directory);
    const texts = ['a cat', 'one', 'zzpoison', 'two trains', 'b', 'c'];
    const prepared = await engine.prepare(texts, 'document');
    const reason = await engine.run(prepared).catch((reason) => reason);
    assert.ok(reason instanceof PartlyFailed, String(reason));
    const alone = await Promise.all(texts.map((_, i) => engine.run([prepared[i]!]).catch(() => null)));
    reason.outcomes.forEach((outcome, i) => {
      if (texts[i] === 'zzpoison') assert.ok(outcome instanceof Error);
      else
        assert.ok(
          outcome instanceof Float32Array && alone[i]![0]!.every((x, j) => Math.abs(x - outcome[j]!) < 1e-5),
        );
    });
    await engine.close();
  });
});

describe('a file that does not match its name is named with a remedy', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0000\nsize 90000\n';
  const cases: Record<string, [(directory: string) => Promise<unknown>, RegExp]> = {
    'a graph that Git LFS has not fetched': [
      (d) => writeFile(join(d, 'onnx/model.onnx'), pointer),
      /onnx\/model\.onnx: a pointer of Git LFS, not the file itself; run "git lfs pull"/,
    ],
    'a tokenizer that Git LFS has not fetched': [
      (d) => writeFile(join(d, 'tokenizer.json'), pointer),
      /tokenizer\.json: a pointer of Git LFS/,
    ],
    'a directory': [
      async (d) => {
        await rm(join(d, 'config.json'));
        await mkdir(join(d, 'config.json'));
      },
      /config\.json: can't be read \(EISDIR\)/,
    ],
    'a graph that ends too early': [
      async (d) => {
        const file = join(d, 'onnx/model.onnx');
        await writeFile(file, (await readFile(file)).subarray(0, 5_000));
      },
      /onnx\/model\.onnx: not an ONNX graph, or not all of one/,
    ],
    'a model without a graph and without weights': [
      (d) => rm(join(d, 'onnx'), { recursive: true }),
      /no ONNX graph, .*"optimum-cli export onnx .*" makes one, .*; for embeddings, also copy modules\.json, 1_Pooling, /,
    ],
    'a graph without a tokenizer': [
      (d) => rm(join(d, 'tokenizer.json')),
      /no tokenizer\.json, without which no text can be read; "optimum-cli export onnx" writes it/,
    ],
    'a tokenizer whose list is none': [
      async (d) => {
        const file = join(d, 'tokenizer.json');
        const json = JSON.parse(await readFile(file, 'utf8'));
        await writeFile(file, JSON.stringify({ ...json, added_tokens: 5 }));
      },
      /tokenizer\.json: invalid type: integer `5`, expected a sequence/,
    ],
    'a pooling outside of the directory': [
      async (d) => {
        const file = join(d, 'modules.json');
        await writeFile(file, (await readFile(file, 'utf8')).replace('1_Pooling', '../../1_Pooling'));
      },
      /modules\.json: the path "\.\.\/\.\.\/1_Pooling" leaves the directory/,
    ],
  };
  for (const [what, [edit, message]] of Object.entries(cases)) {
    it(what, async () => {
      const directory = await write();
      await edit(directory);
      await assert.rejects(open(directory), message);
    });
  }

  for (const file of ['config.json', 'tokenizer.json', 'onnx/model.onnx', 'onnx/model.onnx_data'])
    it(`a named pipe: ${file}`, async () => {
      const directory = await write();
      await rm(join(directory, file), { force: true });
      execFileSync('mkfifo', [join(directory, file)]);
      await assert.rejects(open(directory), new RegExp(`${file}: neither a file nor a directory$`));
    });

  it('unless it is JSON with a byte order mark', async () => {
    const directory = await write();
    const file = join(directory, 'config.json');
    await writeFile(file, `\ufeff${await readFile(file, 'utf8')}`);
    await (await open(directory)).close();
  });
});
