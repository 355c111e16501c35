import type { Vocabulary } from './weights.ts';

const unknownId = 0;
const reservedPieces = 6;
// Lower than the sum of a piece's characters: each is itself a piece and scores at least −20, and no piece exceeds 16.
const neverMatched = -1000;
// The package has null for seven pieces with colons, with which the published tokenizer computes as with 0.
const unstatedScore = 0;

/**
 * Returns a Hugging Face `tokenizer.json`: NFKC, `▁` as prefix and for each space, words that begin with `▁`,
 * Unigram, no special tokens.
 */
export function tokenizerJson(vocabulary: Vocabulary) {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    // Not Metaspace, which omits the prefix if a text begins with a space. The published tokenizer adds it.
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'NFKC' },
        { type: 'Prepend', prepend: '▁' },
        { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
      ],
    },
    // `▁` is only at the start of pieces, so words can be tokenized one by one.
    pre_tokenizer: { type: 'Split', pattern: { String: '▁' }, behavior: 'MergedWithNext', invert: false },
    post_processor: null,
    decoder: null,
    model: {
      type: 'Unigram',
      unk_id: unknownId,
      vocab: vocabulary.map(
        ([piece, score], id) =>
          [piece, id < reservedPieces ? neverMatched : (score ?? unstatedScore)] as const,
      ),
      byte_fallback: false,
    },
  };
}
