/** Reads the maximum number of tokens of one text. */
import { isPositiveInteger, type JsonObject, positiveInteger } from '../../lib/json.ts';
import type { JsonFiles } from './json-file.ts';

// Their positions start after the padding's id, so their table has that many more rows than a text can have tokens.
const offsetModelTypes = new Set([
  'camembert',
  'data2vec-text',
  'ibert',
  'longformer',
  'mpnet',
  'roberta',
  'roberta-prelayernorm',
  'xlm-roberta',
  'xlm-roberta-xl',
  'xmod',
]);
const defaultPaddingId = 1;
// Tokenizers without a limit state 10³⁰.
const maxSaneLimit = 10_000_000;

/**
 * Returns the smallest limit that the files state (`max_seq_length`, `model_max_length` and the model's positions), or
 * `asked` if set. Throws when no limit is stated, or when `asked` exceeds the positions.
 */
export function readMaxTokens(files: JsonFiles, config: JsonObject, asked: number | undefined): number {
  const positions = readPositions(config);
  // Read whether they are needed or not, because the files that are read identify the model.
  const sentences = files.object('sentence_bert_config.json');
  const tokenizer = files.object('tokenizer_config.json');
  if (asked !== undefined) {
    if (!isPositiveInteger(asked) || asked > (positions ?? asked)) {
      throw new Error(
        `EMBEDDING_MAX_TOKENS (max_tokens in a file) must be from 1 to ${positions}, the positions that ${files.directory} has`,
      );
    }
    return asked;
  }
  const stated = [
    positions,
    positiveInteger(sentences, 'max_seq_length'),
    positiveInteger(tokenizer, 'model_max_length', 'max_len'),
  ]
    .filter((limit) => limit !== undefined)
    .filter((limit) => limit <= maxSaneLimit);
  if (stated.length === 0) {
    throw new Error(
      `${files.directory}: no file says how many tokens the model reads; set EMBEDDING_MAX_TOKENS (max_tokens in a file)`,
    );
  }
  return Math.min(...stated);
}

function readPositions(config: JsonObject): number | undefined {
  const rows = positiveInteger(config, 'max_position_embeddings', 'n_positions', 'max_seq_len');
  if (rows === undefined || !offsetModelTypes.has(String(config.model_type))) return rows;
  const paddingId = Number(config.pad_token_id ?? defaultPaddingId);
  return rows - paddingId - 1;
}
