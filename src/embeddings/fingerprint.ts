import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { InputType } from '../../packages/engine/src/index.ts';

/** Returns a text's cache key: 64 bytes, as a latin1 string of 64 characters. */
export type TextKey = (text: string) => string;

/**
 * An organization, and the secret that its cache keys are derived from. No vector is found any more once the secret
 * is replaced.
 */
export interface CacheOwner {
  readonly orgId: string;
  readonly cacheSecret: string;
}

/** Returns the key function for these arguments. Texts that differ in any argument never share a key. */
export type CacheKeys = (owner: CacheOwner, inputType: InputType, truncate: boolean) => TextKey;

/** Maximum number of organizations whose key functions are remembered. */
const maxOwners = 2_048;

/**
 * Returns keyed digests, so that a stolen table of vectors can't be searched for a guessed text. HMAC would cost
 * fifteen times as much as a secret prefix, and length extension gains nothing because digests are never revealed.
 */
export function cacheKeys(secret: Uint8Array, modelFingerprint: string): CacheKeys {
  const seed = hash('sha256', secret, 'hex');
  const remembered = new LRUCache<string, { orgId: string; keys: Map<string, TextKey> }>({
    max: maxOwners,
  });
  return ({ orgId, cacheSecret }, inputType, truncate) => {
    const known = remembered.get(cacheSecret);
    const owner = known?.orgId === orgId ? known : { orgId, keys: new Map() };
    if (owner !== known) remembered.set(cacheSecret, owner);
    // A prompt of a model can have any name, so it comes last.
    const place = `${truncate} ${inputType}`;
    const made = owner.keys.get(place);
    if (made) return made;
    const key = textKeyFor([vectorFormat, modelFingerprint, inputType, truncate, orgId, cacheSecret], seed);
    owner.keys.set(place, key);
    return key;
  };
}

/** The number of the format of cached vectors. Those in another format are not found. */
const vectorFormat = 1;

function textKeyFor(parts: readonly unknown[], seed: string): TextKey {
  // The prefix has a fixed length, like the seed, so the start of the text is unambiguous.
  const prefix = hash('sha256', seed + JSON.stringify(parts), 'hex');
  return (text) => hash('sha512', prefix + text, 'binary');
}
