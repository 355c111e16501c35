import { miniLmShape } from '../test/helpers/models/bert-weights.ts';
import { writeBertModel } from '../test/helpers/models/write-bert-model.ts';
import { textsOfWords } from './texts.ts';

const shortest = 5;
const longest = 120;
/** [CLS] and [SEP]. */
const specialTokens = 2;
/** Coprime to the number of lengths, so that neighbors differ much. */
const stride = 37;

/** A model as large as all-MiniLM-L6-v2 with random weights: speed doesn't depend on the values. */
export async function writeMiniLm(directory: string): Promise<void> {
  await writeBertModel(directory, miniLmShape);
}

/** Different texts of 5 to 120 tokens, with each length equally often. */
export function mixedTexts(seed: number): () => string {
  const text = textsOfWords(seed);
  let next = 0;
  return () => text(shortest - specialTokens + ((next++ * stride) % (longest - shortest + 1)));
}
