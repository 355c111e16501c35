import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { PieceStore } from './file.ts';

const algorithm = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];
/** The number of the format of pieces, which is the first byte inside the encryption. */
const format = 1;

/**
 * Encrypts pieces before they are stored (AES-256-GCM under `key`, which has 32 bytes). A piece opens only under its
 * own identifier, so nobody can exchange two of them in the store.
 */
export function sealedPieces(store: PieceStore, key: Uint8Array): PieceStore {
  return {
    put(pieceId, bytes) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(pieceId));
      const sealed = [cipher.update(Uint8Array.of(format)), cipher.update(bytes), cipher.final()];
      return store.put(pieceId, Buffer.concat([iv, ...sealed, cipher.getAuthTag()]));
    },
    async get(pieceId, inTurn = async (work) => await work(() => false)) {
      const sealed = await store.get(pieceId);
      if (!sealed) return undefined;
      return inTurn(() => {
        const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes));
        decipher.setAAD(Buffer.from(pieceId)).setAuthTag(sealed.subarray(-tagBytes));
        const opened = decipher.update(sealed.subarray(ivBytes, -tagBytes));
        try {
          // Returns nothing more, and throws if the piece was changed or has another key: then it is lost.
          decipher.final();
        } catch {
          return undefined;
        }
        if (opened[0] !== format)
          throw new Error(`A newer release has written this file, in format ${opened[0]}`);
        return opened.subarray(1);
      });
    },
    delete: (pieceId) => store.delete(pieceId),
    requireRoom: async () => store.requireRoom?.(),
  };
}
