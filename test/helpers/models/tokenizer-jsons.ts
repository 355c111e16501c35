import { readFileSync } from 'node:fs';
import { wordPieceJson, wordPieces } from './wordpiece.ts';

/** A small map of characters that SentencePiece compiled. */
const charsmap = readFileSync(new URL('charsmap.txt', import.meta.url), 'utf8').trim();

/** BPE over bytes, as GPT-2's descendants have it, with one special token behind the text. */
const bytePairs = {
  added_tokens: [addedToken(8, '<|end|>')],
  normalizer: { type: 'NFC' },
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: true },
  post_processor: {
    type: 'TemplateProcessing',
    single: [{ Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '<|end|>', type_id: 0 } }],
    pair: [],
    special_tokens: { '<|end|>': { id: '<|end|>', ids: [8], tokens: ['<|end|>'] } },
  },
  decoder: null,
  model: {
    type: 'BPE',
    vocab: { b0: 0, a: 1, b: 2, Ġ: 3, aa: 4, aaaa: 5, ab: 6, Ġa: 7 },
    merges: ['a a', 'aa aa', 'a b', 'Ġ a'],
    unk_token: null,
  },
};

/** Unigram with the normaliser and the pre-tokeniser of multilingual models. */
const multilingual = {
  added_tokens: [
    ...['<s>', '</s>', '<unk>'].map((content, id) => addedToken(id, content)),
    { ...addedToken(8, '<mask>'), lstrip: true },
  ],
  normalizer: { type: 'Precompiled', precompiled_charsmap: charsmap },
  pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '<s>', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '</s>', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      '<s>': { id: '<s>', ids: [0], tokens: ['<s>'] },
      '</s>': { id: '</s>', ids: [1], tokens: ['</s>'] },
    },
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
      ['<mask>', 0],
    ],
    byte_fallback: false,
  },
};

/** Llama's kind: BPE over characters, a whole text as one word, bytes for what is unknown. */
const wholeText = {
  ...bytePairs,
  added_tokens: [],
  normalizer: {
    type: 'Sequence',
    normalizers: [
      { type: 'Prepend', prepend: '▁' },
      { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
    ],
  },
  pre_tokenizer: null,
  post_processor: null,
  model: {
    type: 'BPE',
    vocab: Object.fromEntries(
      [...bytes(), '▁', 'a', 'b', 'aa', 'aaaa', 'ab', '▁a', '▁▁'].map((token, id) => [token, id]),
    ),
    merges: ['a a', 'aa aa', 'a b', '▁ a', '▁ ▁'],
    byte_fallback: true,
  },
};

/** One of each supported kind. */
export const tokenizerJsons = {
  WordPiece: wordPieceJson(wordPieces(400, ['un', '##happi', '##ness', 'cafe'])),
  BPE: bytePairs,
  Unigram: multilingual,
  'whole text': wholeText,
};

function addedToken(id: number, content: string) {
  return { id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
}

function bytes(): string[] {
  return Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
}
