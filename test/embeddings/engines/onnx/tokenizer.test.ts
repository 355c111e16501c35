import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tokenizerJson } from '../../../../src/embeddings/engines/builtin/tokenizer-json.ts';
import { builtinType, createTokenizer } from '../../../../src/embeddings/engines/onnx/tokenizer.ts';
import { encoded } from '../../../helpers/encoded.ts';
import { wordPieceIds } from '../../../helpers/models/bert-reference.ts';
import { bytePairs, multilingual } from '../../../helpers/models/tokenizer-jsons.ts';
import { wordPieceJson, wordPieces } from '../../../helpers/models/wordpiece.ts';

const characters = ['▁', ...'<s>/extra_oknid123'].map((piece) => [piece, -14] as const);
const reserved = ['�', '<s>', '</s>', 'extra_token_id_1', 'extra_token_id_2', 'extra_token_id_3'];
const builtin = tokenizerJson([...reserved.map((piece) => [piece, 0] as const), ...characters]);

it('the tokenizer never matches a reserved piece in a text', async () => {
  const { ids } = encoded(createTokenizer(builtin, builtinType), reserved.join(' '), 1_000);
  assert.ok(ids.length > 40 && ids.every((id) => id === 0 || id >= reserved.length));
});

const pieces = wordPieces(400, ['un', '##happi', '##ness', 'cafe']);
const wordPiece = wordPieceJson(pieces);
const room = 1_000_000;

describe('WordPiece', () => {
  const tokens = async (text: string, maxTokens = room) => {
    const { ids, fullTokenCount } = encoded(createTokenizer(wordPiece), text, maxTokens);
    return { pieces: ids.map((id) => pieces[id]), fullTokenCount };
  };

  it('cuts words into pieces between the special tokens', async () => {
    assert.deepEqual((await tokens('Unhappiness, CAFÉ!')).pieces, [
      ...['[CLS]', 'un', '##happi', '##ness', ',', 'cafe', '!', '[SEP]'],
    ]);
    assert.deepEqual((await tokens('x 漢 😀')).pieces, ['[CLS]', 'x', '[UNK]', '[UNK]', '[SEP]']);
    assert.deepEqual((await tokens('')).pieces, ['[CLS]', '[SEP]']);
    assert.deepEqual((await tokens(' \t\r\n\u00a0\u0000')).pieces, ['[CLS]', '[SEP]']);
  });

  it('ignores the export’s own cut and padding, and cuts before the last special token', async () => {
    const { pieces: all, fullTokenCount } = await tokens('one two three four five six', 6);
    assert.equal(all.length, 6);
    assert.deepEqual([all[0], all[5]], ['[CLS]', '[SEP]']);
    assert.equal(fullTokenCount, wordPieceIds(pieces, 'one two three four five six').length);
    assert.equal((await tokens('x')).pieces.length, 3);
    assert.equal((await tokens('x', 1)).pieces.length, 1);
  });

  it('treats a final sigma and rare ideographs as the original does', async () => {
    const greek = wordPieceJson(wordPieces(400, ['ο', '##σ', '##ς']));
    const { ids } = encoded(createTokenizer(greek), 'ΟΣ 𠀀𠀁', room);
    const names = wordPieces(400, ['ο', '##σ', '##ς']);
    assert.deepEqual(
      ids.map((id) => names[id]),
      ['[CLS]', 'ο', '##σ', '[UNK]', '[UNK]', '[SEP]'],
    );
  });

  it('agrees with a greedy search over many texts', async () => {
    const tokenizer = createTokenizer(wordPiece);
    for (let seed = 1; seed < 500; seed++) {
      const letters = Array.from(
        { length: seed % 40 },
        (_, i) => 'abcxyz  019.!#'[(seed * (i + 7) ** 2) % 14],
      );
      const text = letters.join('');
      assert.deepEqual(encoded(tokenizer, text, room).ids, wordPieceIds(pieces, text), text);
    }
  });
});

describe('other kinds of tokenizer', () => {
  it('support BPE with its special token last, also in a text that is cut', async () => {
    const tokenizer = createTokenizer(bytePairs);
    assert.deepEqual(encoded(tokenizer, 'aaaaab aab', room), {
      ids: [5, 6, 3, 4, 2, 8],
      fullTokenCount: 6,
    });
    assert.deepEqual(encoded(tokenizer, 'aaaaab aab', 3), { ids: [5, 6, 8], fullTokenCount: 6 });
  });

  it('support Unigram with special tokens', async () => {
    const tokenizer = createTokenizer(multilingual);
    assert.deepEqual(encoded(tokenizer, 'a baaa', room).ids, [0, 5, 3, 7, 6, 1]);
    assert.deepEqual(encoded(tokenizer, 'a漢字z a</s>漢', room).ids, [0, 5, 2, 5, 1, 3, 2, 1]);
  });

  it('give a text the same tokens whole and in the pieces of a long one', async () => {
    for (const json of [bytePairs, multilingual]) {
      const tokenizer = createTokenizer(json);
      const word = 'ab aaaa b  aab '.repeat(4_000);
      // Once in pieces, once whole: a piece has four units a token.
      const inPieces = encoded(tokenizer, word, 4_000);
      const whole = encoded(tokenizer, word, room);
      assert.equal(inPieces.fullTokenCount, whole.fullTokenCount);
      assert.deepEqual(inPieces.ids.slice(0, 3_999), whole.ids.slice(0, 3_999));
    }
  });

  it('are refused by name if a part is unknown', () => {
    const change = (part: object) => createTokenizer({ ...wordPiece, ...part });
    assert.throws(() => change({ normalizer: { type: 'Odd' } }), /Odd/);
    assert.throws(() => change({ pre_tokenizer: { type: 'Odd' } }), /Odd/);
    assert.throws(() => change({ post_processor: { type: 'Odd' } }), /Odd/);
    assert.throws(() => change({ model: { type: 'Odd' } }), /Odd/);
    const template = (single: object[]) =>
      change({
        post_processor: {
          type: 'TemplateProcessing',
          single,
          pair: [],
          special_tokens: { '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] } },
        },
      });
    assert.throws(
      () => template([{ Sequence: { id: 'A', type_id: 1 } }]),
      /post_processor "TemplateProcessing": .* is not supported/,
    );
    assert.throws(() => template([{ SpecialToken: { id: '[CLS]', type_id: 0 } }]), /is not supported/);
    assert.throws(
      () => template([{ SpecialToken: { id: '[ODD]', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }]),
      /"\[ODD\]" has no id/,
    );
  });
});

describe('hostile texts', () => {
  const hostile = {
    'a word of a million characters': 'a'.repeat(1_000_000),
    'a million marks on a letter': `a${'\u0301\u0316'.repeat(500_000)} b`,
    emoji: '👩‍👩‍👧😀'.repeat(50_000),
    'lone surrogates': '\ud800a\udc00'.repeat(50_000),
    'nothing but spaces': ' '.repeat(500_000),
    'words that unfold': '\ufdfa'.repeat(20_000),
    'special tokens spelt out': '[CLS]</s><|end|>'.repeat(20_000),
    'ideographs without a space': '漢字'.repeat(200_000),
    dots: '.'.repeat(300_000),
  };
  for (const [kind, json] of Object.entries({
    WordPiece: wordPiece,
    BPE: bytePairs,
    Unigram: multilingual,
  })) {
    for (const [what, text] of Object.entries(hostile)) {
      it(`get tokens from ${kind}: ${what}`, async () => {
        const { ids, fullTokenCount } = encoded(createTokenizer(json), text, 512);
        assert.ok(ids.length > 0 && ids.length <= 512 && ids.length <= fullTokenCount);
        assert.ok(ids.every((id) => Number.isInteger(id) && id >= 0));
      });
    }
  }

  it('keep the text that follows a run of marks', async () => {
    const { ids } = encoded(createTokenizer(wordPiece), hostile['a million marks on a letter'], 512);
    assert.deepEqual(
      ids.map((id) => pieces[id]),
      ['[CLS]', 'a', 'b', '[SEP]'],
    );
  });
});
