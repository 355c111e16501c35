import { wordPieceJson, wordPieces } from './wordpiece.ts';

/** BPE over bytes, as GPT-2's descendants have it, with one special token behind the text. */
export const bytePairs = {
  added_tokens: [{ id: 500, content: '<|end|>', special: true }],
  normalizer: { type: 'NFC' },
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: true },
  post_processor: {
    type: 'TemplateProcessing',
    single: [{ Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '<|end|>', type_id: 0 } }],
    pair: [],
    special_tokens: {},
  },
  decoder: null,
  model: {
    type: 'BPE',
    vocab: { a: 1, b: 2, Ġ: 3, aa: 4, aaaa: 5, ab: 6, Ġa: 7 },
    merges: ['a a', 'aa aa', 'a b', 'Ġ a'],
    unk_token: null,
  },
};

/** Unigram with the normaliser and the pre-tokeniser of multilingual models. */
export const multilingual = {
  added_tokens: ['<s>', '</s>', '<unk>'].map((content, id) => ({ id, content, special: true })),
  normalizer: { type: 'Precompiled', precompiled_charsmap: '' },
  pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '<s>', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '</s>', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {},
  },
  decoder: null,
  model: {
    type: 'Unigram',
    unk_id: 2,
    vocab: [
      ['<s>', 0],
      ['</s>', 0],
      ['<unk>', 0],
      ['▁', -3],
      ['a', -4],
      ['▁a', -3.5],
      ['aaa', -6],
      ['b', -4],
    ],
    byte_fallback: false,
  },
};

/** One of each kind that the tokenizer library does. */
export const tokenizerJsons = {
  WordPiece: wordPieceJson(wordPieces(400, ['un', '##happi', '##ness', 'cafe'])),
  BPE: bytePairs,
  Unigram: multilingual,
};
