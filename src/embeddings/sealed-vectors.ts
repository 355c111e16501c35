import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { CachedVector, SealedStore, VectorStore } from './vector-cache.ts';

// A stored vector is an IV, a tag, and the encrypted number of tokens, whether the text was cut, and numbers.
const [ivBytes, tagBytes, headerBytes] = [12, 16, 8];

/**
 * Encrypts vectors before they are stored. Half of a cache key names the vector in the store, and the other half
 * encrypts it (AES-256-GCM), so that the store reveals nothing to anyone who can't derive the key of a text.
 */
export function sealedVectors(store: SealedStore): VectorStore {
  return {
    async get(keys) {
      const found = await store.get(keys.map(nameOf));
      return found.map((sealed, i) => sealed && unseal(sealed, keys[i]!));
    },
    put(entries, nowMs) {
      const sealed = entries.map(({ key, value }) => ({ key: nameOf(key), sealed: seal(value, key) }));
      return store.put(sealed, nowMs);
    },
    prune: (bounds, signal) => store.prune(bounds, signal),
  };
}

const nameOf = (key: string): string => key.slice(0, key.length / 2);
const secretOf = (key: string): Buffer => Buffer.from(key.slice(key.length / 2), 'latin1');

function seal({ vector, tokenCount, isCut }: CachedVector, key: string): Uint8Array {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', secretOf(key), iv);
  const header = cipher.update(new Uint8Array(Uint32Array.of(tokenCount, Number(isCut)).buffer));
  const numbers = cipher.update(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  cipher.final();
  return Buffer.concat([iv, cipher.getAuthTag(), header, numbers]);
}

/** Returns undefined for damaged bytes, so that the vector is computed again. */
function unseal(sealed: Uint8Array, key: string): CachedVector | undefined {
  const numbersAt = ivBytes + tagBytes;
  try {
    const decipher = createDecipheriv('aes-256-gcm', secretOf(key), sealed.subarray(0, ivBytes));
    decipher.setAuthTag(sealed.subarray(ivBytes, numbersAt));
    const { buffer } = Uint8Array.from(decipher.update(sealed.subarray(numbersAt)));
    decipher.final();
    const [tokenCount, isCut] = new Uint32Array(buffer, 0, 2);
    return { vector: new Float32Array(buffer, headerBytes), tokenCount: tokenCount!, isCut: isCut === 1 };
  } catch {
    return undefined;
  }
}
