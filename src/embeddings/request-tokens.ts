import { FairRoom } from '../lib/fair-room.ts';

/** Maximum number of texts of one request. */
export const maxTexts = 2_048;
const standardBodyBytes = 4 << 20;
const minQueueTokens = 524_288;

/** Tokenizing this many UTF-16 code units takes about as long as computing one token. */
const unitsPerToken = 512;

/** Returns the largest number of tokens that texts can have, and the cost of reading them in tokens. */
export function estimatedTokens(texts: readonly string[], maxTokens: number): number {
  return texts.reduce(
    (sum, { length }) => sum + Math.min(maxTokens, length + 1) + Math.floor(length / unitsPerToken),
    0,
  );
}

/**
 * Returns a size of the queue in which the largest request has room when the queue is empty, if its organization may
 * hold half of the room.
 */
export function roomyQueueTokens(maxTokens: number, maxBodyBytes = standardBodyBytes): number {
  const largest =
    Math.min(maxTexts * maxTokens, maxBodyBytes + maxTexts) + Math.floor(maxBodyBytes / unitsPerToken);
  return Math.max(minQueueTokens, FairRoom.sizeFor(largest));
}
