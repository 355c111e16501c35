import type { Vocabulary } from './weights.ts';

const unknownId = 0;
const reservedPieces = 6;
// Every character of a piece is a piece itself, none scores under −20 and no piece is longer than 16: they win.
const neverMatched = -1000;

/** The vocabulary as a Hugging Face `tokenizer.json`: NFKC, `▁` in front and for each space, Unigram, no special tokens. */
export function tokenizerJson(vocabulary: Vocabulary) {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    // Not Metaspace: that leaves out the prefix where a text begins with a space, and the published tokenizer doesn't.
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'NFKC' },
        { type: 'Prepend', prepend: '▁' },
        { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
      ],
    },
    pre_tokenizer: null,
    post_processor: null,
    decoder: null,
    model: {
      type: 'Unigram',
      unk_id: unknownId,
      vocab: vocabulary.map(
        ([piece, score], id) => [piece, id < reservedPieces ? neverMatched : score] as const,
      ),
      byte_fallback: false,
    },
  };
}
