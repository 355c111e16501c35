import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from './json-file.ts';
import { Pipeline } from './tokenizer/pipeline.ts';
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

/** What `model_type` of `config.json` is for the built-in model, whose tokenizer settles ties as it was published with. */
export const builtinType = 'universal-sentence-encoder-lite';

/**
 * The tokenizer that `json`, a Hugging Face `tokenizer.json`, describes, for a model of the type `modelType`. Throws, by name, what it asks
 * for that isn't done exactly as asked.
 */
export function createTokenizer(json: JsonObject, modelType?: unknown): Tokenizer {
  const vocabulary = modelType === builtinType ? ownVocabulary(json) : undefined;
  return vocabulary ? new Unigram(vocabulary) : new Pipeline(json);
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
