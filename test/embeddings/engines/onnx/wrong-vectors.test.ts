import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Engine, PartlyFailed } from '../../../../src/embeddings/engines/engine.ts';
import { openOnnxEngine } from '../../../../src/embeddings/engines/onnx/onnx-engine.ts';
import type { ModelOverrides } from '../../../../src/embeddings/engines/onnx/overrides.ts';
import {
  encodeOnnxModel,
  type OnnxModel,
  type OnnxValue,
} from '../../../../src/embeddings/engines/onnx-writer/onnx-file.ts';
import { bertModel } from '../../../helpers/models/bert-graph.ts';
import { bertWeights, tinyBert } from '../../../helpers/models/bert-weights.ts';
import { addUnknownRow } from '../../../helpers/models/poison.ts';
import { type BertModelOptions, writeBertModel } from '../../../helpers/models/write-bert-model.ts';
import { temporaryDirectory } from '../builtin-directory.ts';

const write = async (options: BertModelOptions = {}): Promise<string> => {
  const directory = await temporaryDirectory();
  await writeBertModel(directory, options);
  return directory;
};
const open = (directory: string, overrides: ModelOverrides = {}): Promise<Engine> =>
  openOnnxEngine({ directory, name: 'tiny', workers: 1, threadsPerWorker: 1, overrides }) as Promise<Engine>;

/** A BERT whose token vectors pass through more nodes to an output of another name or shape. */
async function withOutput(nodes: OnnxModel['nodes'], output: OnnxValue): Promise<string> {
  const directory = await write();
  const model = bertModel(bertWeights(tinyBert));
  const graph = { ...model, nodes: [...model.nodes, ...nodes], outputs: [output] };
  await writeFile(join(directory, 'onnx/model.onnx'), encodeOnnxModel(graph));
  return directory;
}
const hidden = 'last_hidden_state';
const node = (op: string, output: string, attributes = {}, inputs = [hidden]) => ({
  op,
  inputs,
  output,
  attributes,
});
const perText = ['batch', tinyBert.width];
const perToken = ['batch', 'tokens', tinyBert.width];

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

  it('unless it returns one vector per text with an additional dimension of 1', async () => {
    const engine = await open(await firstTokens(await write()));
    const [vector] = await engine.run(await engine.prepare(['a text'], 'document'));
    assert.equal(vector?.length, tinyBert.width);
    await engine.close();
  });
});

/** A graph that returns the vectors of the first tokens, with the dimension of the tokens kept. */
async function firstTokens(directory: string): Promise<string> {
  const model = bertModel(bertWeights(tinyBert));
  const integers = (name: string, value: bigint) => ({ name, shape: [1], values: BigInt64Array.of(value) });
  const graph = {
    ...model,
    initializers: [...model.initializers, integers('zero', 0n), integers('one', 1n)],
    nodes: [...model.nodes, node('Slice', 'sentence_embedding', {}, [hidden, 'zero', 'one', 'one'])],
    outputs: [{ name: 'sentence_embedding', type: 'float32' as const, shape: ['batch', 1, tinyBert.width] }],
  };
  await writeFile(join(directory, 'onnx/model.onnx'), encodeOnnxModel(graph));
  return directory;
}

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
    'a tokenizer whose list is none': [
      async (d) => {
        const file = join(d, 'tokenizer.json');
        const json = JSON.parse(await readFile(file, 'utf8'));
        await writeFile(file, JSON.stringify({ ...json, added_tokens: 5 }));
      },
      /tokenizer\.json: "added_tokens" is not a list of objects/,
    ],
    'a pooling outside of the directory': [
      async (d) => {
        const file = join(d, 'modules.json');
        await writeFile(file, (await readFile(file, 'utf8')).replace('1_Pooling', '../../1_Pooling'));
      },
      /modules\.json: the pooling's path "\.\.\/\.\.\/1_Pooling" leaves the directory/,
    ],
  };
  for (const [what, [edit, message]] of Object.entries(cases)) {
    it(what, async () => {
      const directory = await write();
      await edit(directory);
      await assert.rejects(open(directory), message);
    });
  }

  it('unless it is JSON with a byte order mark', async () => {
    const directory = await write();
    const file = join(directory, 'config.json');
    await writeFile(file, `\ufeff${await readFile(file, 'utf8')}`);
    await (await open(directory)).close();
  });
});
