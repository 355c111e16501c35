import { bytePairs } from './byte-pairs.ts';
import { Part } from './part.ts';
import { type TokenModel, wordLevel } from './token-model.ts';
import { unigram } from './unigram-model.ts';
import { wordPiece } from './word-piece.ts';

/** Creates the model. Throws an error that names an unsupported feature. */
export function createModel(json: unknown): TokenModel {
  const part = new Part('model', json, typeof json === 'object' ? undefined : 'none');
  const made = create(part);
  part.end('cache_capacity');
  return made;
}

function create(part: Part): TokenModel {
  switch (part.type) {
    case 'WordPiece':
      return wordPiece(part);
    case 'WordLevel':
      return wordLevel(part);
    case 'BPE':
      return bytePairs(part);
    case 'Unigram':
      return unigram(part);
    default:
      return part.refuse('this model is not supported');
  }
}
