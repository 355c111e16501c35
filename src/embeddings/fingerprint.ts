import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { InputType } from '../engines/engine.ts';

/** Returns a text's cache key: 64 bytes, as a latin1 string of 64 characters. */
export type TextKey = (text: string) => string;

/** An organization, and the secret that its cache keys are derived from. No vector is found any more once the secret is replaced. */
export interface CacheOwner {
  readonly orgId: string;
  readonly cacheSecret: string;
}

/** Returns the key function for these arguments. Texts that differ in any argument never share a key. */
export type CacheKeys = (owner: CacheOwner, inputType: InputType, truncate: boolean) => TextKey;

const rememberedBytes = 1_048_576;
const textKeyBytes = 512;

/**
 * Returns keyed digests, so that a stolen table of vectors can't be searched for a guessed text. HMAC would cost
 * fifteen times as much as a secret prefix, and length extension gains nothing because digests are never revealed.
 */
export function cacheKeys(secret: Uint8Array, modelFingerprint: string): CacheKeys {
  const seed = hash('sha256', secret, 'hex');
  const remembered = new LRUCache<string, TextKey>({
    maxSize: rememberedBytes,
    sizeCalculation: () => textKeyBytes,
  });
  return ({ orgId, cacheSecret }, inputType, truncate) => {
    const name = `${inputType} ${truncate} ${orgId} ${cacheSecret}`;
    const known = remembered.get(name);
    if (known) return known;
    // The prefix has a fixed length, like the seed, so the start of the text is unambiguous.
    const prefix = hash(
      'sha256',
      seed + JSON.stringify([modelFingerprint, inputType, truncate, orgId, cacheSecret]),
      'hex',
    );
    const textKey: TextKey = (text) => hash('sha512', prefix + text, 'binary');
    remembered.set(name, textKey);
    return textKey;
  };
}
