import { hash } from 'node:crypto';
import { Lru } from '../lib/lru.ts';
import type { InputType } from './engines/engine.ts';

/** Answers a text's cache key: 32 bytes, as a latin1 string of 32 characters. */
export type TextKey = (text: string) => string;

/** The keys of one organization's texts: what differs in any argument shares no key. */
export type CacheKeys = (orgId: string, inputType: InputType, truncate: boolean) => TextKey;

const rememberedBytes = 1_048_576;
const textKeyBytes = 512;

/**
 * Keyed digests, so that a stolen table of vectors can't be searched for a guessed text. A secret prefix serves where
 * HMAC would cost fifteen times as much: digests stay inside, so extending one gains nobody anything.
 */
export function cacheKeys(secret: Uint8Array, modelFingerprint: string): CacheKeys {
  const seed = hash('sha256', secret, 'hex');
  const remembered = new Lru<TextKey>(rememberedBytes, () => textKeyBytes);
  return (orgId, inputType, truncate) => {
    const name = `${inputType} ${truncate} ${orgId}`;
    const known = remembered.get(name);
    if (known) return known;
    // Of a fixed length, like the seed: where the text begins is beyond doubt.
    const prefix = hash(
      'sha256',
      seed + JSON.stringify([modelFingerprint, inputType, truncate, orgId]),
      'hex',
    );
    const textKey: TextKey = (text) => hash('sha256', prefix + text, 'binary');
    remembered.set(name, textKey);
    return textKey;
  };
}
