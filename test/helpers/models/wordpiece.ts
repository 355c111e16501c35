const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const alphabet = 'abcdefghijklmnopqrstuvwxyz';
const characters = [...alphabet, ...'0123456789', ...'.,;:!?-\'"()'];

/** The pieces of a WordPiece vocabulary of exactly `size`; the index is the id. */
export function wordPieces(size: number, words: readonly string[] = []): string[] {
  const pieces = new Set([...special, ...characters, ...[...alphabet, ...'0123456789'].map((c) => `##${c}`)]);
  const fill = (made: Iterable<string>): void => {
    for (const piece of made) {
      if (pieces.size >= size) return;
      pieces.add(piece);
    }
  };
  fill(words);
  fill(combinations(2));
  fill(combinations(3));
  if (pieces.size !== size) throw new Error(`A vocabulary of ${size} pieces can't be made`);
  return [...pieces];
}

/** All words of `length` letters, each also as the rest of a word. */
function* combinations(length: number, start = ''): Generator<string> {
  for (const letter of alphabet) {
    const word = start + letter;
    if (word.length < length) yield* combinations(length, word);
    else yield* [word, `##${word}`];
  }
}

const idOf = (pieces: readonly string[], piece: string): number => pieces.indexOf(piece);

/** As the exports of BERT models write it, with their truncation and padding, which a service must ignore. */
export function wordPieceJson(pieces: readonly string[]) {
  return {
    version: '1.0',
    truncation: { direction: 'Right', max_length: 8, strategy: 'LongestFirst', stride: 0 },
    padding: {
      strategy: { Fixed: 8 },
      direction: 'Right',
      pad_to_multiple_of: null,
      pad_id: 0,
      pad_type_id: 0,
      pad_token: '[PAD]',
    },
    added_tokens: special.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
      ],
      pair: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
        { Sequence: { id: 'B', type_id: 1 } },
        { SpecialToken: { id: '[SEP]', type_id: 1 } },
      ],
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [idOf(pieces, '[CLS]')], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [idOf(pieces, '[SEP]')], tokens: ['[SEP]'] },
      },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
    },
  };
}
