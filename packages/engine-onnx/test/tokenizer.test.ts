import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Tokenizer as Library } from 'tokenizers';
import { tokenizerJsons } from '../../../test/helpers/models/tokenizer-jsons.ts';
import type { JsonObject } from '../../small/src/json.ts';
import { readUnits, Tokenizer } from '../src/tokenizer.ts';

/** More than the tokens of each text here, so that none is cut. */
const roomy = 1_000_000;
const open = (json: JsonObject, maxTokens = roomy, lowercase = false) =>
  Tokenizer.open(JSON.stringify(json), json, { maxTokens, lowercase });
const encoded = async (tokenizer: Tokenizer, text: string) => {
  const [one] = await tokenizer.encode([text]);
  return { ...one!, ids: [...one!.ids] };
};
const idsOf = async (json: JsonObject, text: string, maxTokens = roomy) =>
  (await encoded(await open(json, maxTokens), text)).ids;

const wholeText = tokenizerJsons['whole text'];
const unigram = tokenizerJsons.Unigram;
/** Every kind of model and pre-tokenizer. */
const kinds: Record<string, JsonObject> = {
  ...tokenizerJsons,
  'BPE with Metaspace': { ...wholeText, normalizer: null, pre_tokenizer: unigram.pre_tokenizer },
  'Unigram with a space before the first word only': {
    ...unigram,
    pre_tokenizer: { ...unigram.pre_tokenizer, prepend_scheme: 'first' },
  },
  'WordLevel that splits at punctuation and digits': {
    ...wholeText,
    normalizer: { type: 'Sequence', normalizers: [{ type: 'NFKD' }, { type: 'StripAccents' }] },
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Punctuation', behavior: 'MergedWithNext' },
        { type: 'Digits', individual_digits: true },
      ],
    },
    model: { type: 'WordLevel', unk_token: '?', vocab: { a: 0, '?': 1, ab: 2, σ: 3 } },
  },
};
const bits = [
  "a|b|ab|the |running |é|e\u0301|\u0301|ﷺ|ﬁ|火|漢字|😀|👩‍👩‍👧|\n|\r\n|  |\t| |.|!!|don't |123|9|<mask>|[CLS]|</s>|<s>",
  '[tok]|▁|가|ᄀ|ᅡ|ﾞ|ｶ|\u00a0|\u200b|foo_bar(x)|aaaaaaaa|                |İ|σς|Σ|\0|\ud800|１|½',
].flatMap((some) => some.split('|'));
const textOf = (parts: readonly string[]) =>
  fc.array(fc.constantFrom(...parts), { minLength: 20, maxLength: 400 }).map((some) => some.join(''));
const text = fc.oneof(
  textOf(bits),
  textOf(['a', 'b']),
  textOf(['火', '漢', '字']),
  textOf([' ', '\n', 'a', '<mask>']),
);

describe('the first tokens of a long text are those of the whole text', () => {
  for (const [name, json] of Object.entries(kinds)) {
    it(`with ${name}, and \`tokens\` lists them`, async () => {
      const whole = await open(json);
      const limits = [6, 16];
      const cutting = await Promise.all(limits.map((limit) => open(json, limit)));
      const { ids: frame } = await encoded(whole, '');
      const check = async (one: string) => {
        const { ids: all, fullTokenCount } = await encoded(whole, one);
        assert.equal(fullTokenCount, all.length);
        const [tokens = []] = await whole.tokens([one], true);
        assert.deepEqual(
          tokens.map(({ id }) => id),
          all,
        );
        for (const [i, limit] of limits.entries()) {
          const cut = await encoded(cutting[i]!, one);
          assert.ok(
            cut.fullTokenCount === all.length || (all.length > limit && cut.fullTokenCount > all.length),
          );
          // If there are special tokens, one of them is behind the text.
          const behind = frame.length === 0 ? 0 : 1;
          const expected = [...all.slice(0, limit - behind), ...all.slice(all.length - behind)];
          assert.deepEqual(cut.ids, all.length <= limit ? all : expected);
        }
      };
      await fc.assert(fc.asyncProperty(text, check), { numRuns: 100 });
    });
  }

  it('where the cut inside a word changes its first token', async () => {
    const pairs: JsonObject = {
      ...unigram,
      added_tokens: [],
      normalizer: null,
      post_processor: null,
      model: {
        type: 'Unigram',
        unk_id: 0,
        vocab: [
          ['<unk>', -20],
          ['▁', -1],
          ['ab', -1],
          ['ba', -0.9],
          ['a', -10],
          ['b', -10],
        ],
        byte_fallback: false,
      },
    };
    const word = `${'ab'.repeat(150)}a`;
    const all = await idsOf(pairs, word);
    // The library gets 64 units at first.
    assert.notDeepEqual((await idsOf(pairs, word.slice(0, 64))).slice(0, 8), all.slice(0, 8));
    assert.deepEqual(await idsOf(pairs, word, 8), all.slice(0, 8));
  });

  it('where an added token takes the white space before it', async () => {
    const spaced = `a${' '.repeat(500)}<mask> b`;
    assert.deepEqual(await idsOf(unigram, spaced, 8), await idsOf(unigram, spaced));
  });
});

describe('long texts of one call', () => {
  it('are read one after the other, which leaves the threads of the library to other calls', async (t) => {
    const tokenizer = await open(tokenizerJsons.WordPiece, 6);
    const { encodeBatch } = Library.prototype;
    let [inProgress, most] = [0, 0];
    t.mock.method(Library.prototype, 'encodeBatch', function (this: Library, texts: string[]) {
      most = Math.max(most, ++inProgress);
      return encodeBatch.call(this, texts, { addSpecialTokens: false }).finally(() => inProgress--);
    });
    await tokenizer.encode(Array(4).fill('a'.repeat(1_000)));
    assert.equal(most, 1);
  });
});

describe('a text', () => {
  it('has an infinite count when it is longer than what is read', async () => {
    const tokenizer = await open(wholeText, 4);
    const read = 'b'.repeat(readUnits(4));
    assert.equal((await encoded(tokenizer, read)).fullTokenCount, read.length + 1);
    const longer = await encoded(tokenizer, `${read}b`);
    assert.equal(longer.fullTokenCount, Number.POSITIVE_INFINITY);
    assert.deepEqual(longer.ids, (await idsOf(wholeText, read)).slice(0, 4));
  });

  it('is not read in part of a surrogate pair', async () => {
    const tokenizer = await open(wholeText, 4);
    const { ids } = await encoded(tokenizer, `${' '.repeat(readUnits(4) - 1)}😀`);
    assert.equal(ids.length, 4);
  });

  it('ignores the truncation and the padding of the file, and keeps the special tokens', async () => {
    const json = tokenizerJsons.WordPiece;
    const names = new Map(Object.entries(json.model.vocab).map(([piece, id]) => [id, piece]));
    const piecesOf = async (one: string, limit: number) =>
      (await idsOf(json, one, limit)).map((id) => names.get(id));
    assert.deepEqual(await piecesOf('x', 100), ['[CLS]', 'x', '[SEP]']);
    assert.deepEqual(await piecesOf('a b c d e f g h', 6), ['[CLS]', 'a', 'b', 'c', 'd', '[SEP]']);
    assert.equal((await piecesOf('a b c d e f g h', 100)).length, 10);
    assert.equal((await piecesOf('x', 1)).length, 1);
  });

  it('can be empty, or have lone surrogates, NUL and special tokens', async () => {
    const json = tokenizerJsons.WordPiece;
    const { model } = json;
    const { '[CLS]': cls, '[SEP]': sep, '[UNK]': unknown } = model.vocab;
    assert.deepEqual(await idsOf(json, ''), [cls, sep]);
    assert.deepEqual(await idsOf(json, '\0'), [cls, sep]);
    assert.deepEqual(await idsOf(json, '漢\ud800'), await idsOf(json, '漢\ufffd'));
    assert.deepEqual(await idsOf(json, '[UNK]'), [cls, unknown, sep]);
  });

  it('is lowercased first if the model asks for it', async () => {
    const lowercasing = await open(tokenizerJsons.BPE, roomy, true);
    assert.deepEqual((await encoded(lowercasing, 'AAB')).ids, await idsOf(tokenizerJsons.BPE, 'aab'));
  });
});
