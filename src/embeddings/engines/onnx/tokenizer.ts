import { isDeepStrictEqual } from 'node:util';
import { type Tokens, Unigram } from './unigram.ts';

/** Turns texts into token ids. */
export interface Tokenizer {
  /** The first `maxTokens` tokens, and how many there are. Never throws, whatever the text. */
  encode(text: string, maxTokens: number): Tokens;
}

interface TokenizerJson {
  readonly normalizer: unknown;
  readonly pre_tokenizer: unknown;
  readonly post_processor: unknown;
  readonly added_tokens: readonly unknown[];
  readonly model: { type: string; unk_id: number; vocab: [string, number][]; byte_fallback: boolean };
}

const unigramNormalizer = {
  type: 'Sequence',
  normalizers: [
    { type: 'NFKC' },
    { type: 'Prepend', prepend: '▁' },
    { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
  ],
};

/** `json`: a parsed Hugging Face `tokenizer.json`. Throws when it asks for anything that isn't done exactly as asked. */
export function createTokenizer(json: TokenizerJson): Tokenizer {
  const { model } = json;
  const steps = [json.pre_tokenizer, json.post_processor].some((step) => step !== null);
  const plain =
    !steps && json.added_tokens.length === 0 && isDeepStrictEqual(json.normalizer, unigramNormalizer);
  if (model.type !== 'Unigram' || model.byte_fallback || !plain) {
    throw new Error(`tokenizer.json: this kind of ${model.type} tokenizer is not supported`);
  }
  return new Unigram({ pieces: model.vocab, unknownId: model.unk_id });
}
