import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from './json-file.ts';
import type { TokenLimits, Tokens } from './tokens.ts';
import { Unigram, type UnigramVocabulary } from './unigram.ts';

/** Turns texts into token ids. */
export interface Tokenizer {
  /**
   * Returns the text's tokens. Yields after each few milliseconds of work, so that a long text can let others go before it. Time and
   * memory grow in proportion to the text's length, whatever the text, and it never throws.
   */
  encode(text: string, limits: TokenLimits): Generator<void, Tokens>;
}

const ownNormalizer = {
  type: 'Sequence',
  normalizers: [
    { type: 'NFKC' },
    { type: 'Prepend', prepend: '▁' },
    { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
  ],
};

/**
 * The tokenizer that `json`, a Hugging Face `tokenizer.json`, describes; `config` is its `tokenizer_config.json`. The
 * built-in model's kind is done here, every other by the tokenizer library. Throws what neither does.
 */
export async function createTokenizer(json: JsonObject, config: JsonObject = {}): Promise<Tokenizer> {
  const vocabulary = ownVocabulary(json);
  if (vocabulary) return new Unigram(vocabulary);
  // Only here: the built-in model does without it.
  const { LibraryTokenizer } = await import('./library-tokenizer.ts');
  return new LibraryTokenizer(json, config);
}

/** Of a Unigram that asks for nothing but what `Unigram` does exactly as asked. */
function ownVocabulary(json: JsonObject): UnigramVocabulary | undefined {
  const { model, added_tokens: added, normalizer } = json;
  const steps = [json.pre_tokenizer, json.post_processor].some((step) => step !== null);
  const isPlain = Array.isArray(added) && added.length === 0 && isDeepStrictEqual(normalizer, ownNormalizer);
  if (steps || !isPlain || !isObject(model) || model.type !== 'Unigram' || model.byte_fallback)
    return undefined;
  return {
    pieces: model.vocab as UnigramVocabulary['pieces'],
    unknownId: model.unk_id as number,
  };
}
