/** Where the tokenizer library is slower than it must be, or gives other ids than the tokenizers that models are trained with. */
import { isObject, type JsonObject } from './json-file.ts';

/**
 * Takes from the library's Unigram what grows with the square of a text, or overflows the stack, and answers the id to fuse
 * in its stead: it looks up each unknown token with all those before it, and passes the tokens of a word as arguments.
 */
export function unburden({ model }: { readonly model: object | null }): number {
  if (!isUnigram(model)) return -1;
  model.fuse_unk = false;
  model.encode = (words) => words.flatMap((word) => model.tokenize(word));
  return model.unk_token_id ?? -1;
}

/** What is touched of the library's class. */
interface LibraryUnigram {
  fuse_unk: boolean;
  readonly unk_token_id?: number;
  encode: (words: string[]) => string[];
  tokenize(word: string): string[];
}

const isUnigram = (model: object | null): model is LibraryUnigram =>
  model !== null && 'tokenize' in model && 'unk_score' in model;

// The planes beyond the basic one, of which the library's test sees halves of a character only.
const ideograph =
  /[\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

/**
 * What to do to a text first, so that BERT's normaliser makes of it what the original does: that takes capitals one by one, so
 * that a sigma at a word's end is no other letter, and sets every ideograph apart.
 */
export function textRepair({ normalizer }: JsonObject): (text: string) => string {
  if (!isObject(normalizer) || normalizer.type !== 'BertNormalizer') return (text) => text;
  const { lowercase, handle_chinese_chars: setsApart } = normalizer;
  return (text) => {
    const lowered = lowercase ? text.replaceAll('Σ', 'σ') : text;
    return setsApart ? lowered.replace(ideograph, ' $& ') : lowered;
  };
}
