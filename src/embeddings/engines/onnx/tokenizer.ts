import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import type { TokenLimits, Tokens } from './token-collector.ts';
import { Pipeline } from './tokenizer/pipeline.ts';
import { Unigram, type UnigramVocabulary } from './unigram.ts';

/** Converts texts to token ids. */
export interface Tokenizer {
  /**
   * Returns the text's tokens. Yields every few milliseconds, so that other texts can overtake a long one. Time and
   * memory are linear in the text's length for every text. Never throws.
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

/** The `model_type` of the built-in model, whose tokenizer resolves ties as the published one does. */
export const builtinType = 'universal-sentence-encoder-lite';

/**
 * Creates the tokenizer that `json`, a Hugging Face `tokenizer.json`, describes. `modelType` is the `model_type` of
 * `config.json`. Throws an error that names the first feature that can't be reproduced exactly.
 */
export function createTokenizer(json: JsonObject, modelType?: unknown): Tokenizer {
  const vocabulary = modelType === builtinType ? ownVocabulary(json) : undefined;
  return vocabulary ? new Unigram(vocabulary) : new Pipeline(json);
}

/** Returns the vocabulary if `Unigram` implements this tokenizer exactly. */
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
