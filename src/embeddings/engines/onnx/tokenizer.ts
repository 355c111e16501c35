import { isDeepStrictEqual } from 'node:util';
import { type Tokens, Unigram } from './unigram.ts';

/** Turns texts into token ids. */
export interface Tokenizer {
  /** The first `maxTokens` tokens, and how many there are. Never throws, whatever the text. */
  encode(text: string, maxTokens: number): Tokens;
}

/** The parts of a Hugging Face `tokenizer.json` that decide about ids. */
export interface TokenizerJson {
  readonly normalizer: unknown;
  readonly pre_tokenizer: unknown;
  readonly post_processor: unknown;
  readonly added_tokens: readonly unknown[];
  readonly model: {
    readonly type: string;
    readonly unk_id: number;
    readonly vocab: readonly (readonly [piece: string, score: number])[];
    readonly byte_fallback: boolean;
  };
}

const unigramNormalizer = {
  type: 'Sequence',
  normalizers: [
    { type: 'NFKC' },
    { type: 'Prepend', prepend: '▁' },
    { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
  ],
};

/** Throws when `json` asks for anything that isn't done exactly as asked. */
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
