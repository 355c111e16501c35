import { ServiceError } from '../errors.ts';
import type { KeyRecord } from './key.ts';

/** Who asks for a key's rotation: the key itself, or a person who may. */
export type RotatedBy = 'itself' | 'person';

/**
 * Throws `invalid_request` when a key has a successor that is valid. A key that rotates itself may do so once: what has become of
 * its successor is for a person to look into.
 */
export function requireNoSuccessor(
  keyId: string,
  successors: readonly Pick<KeyRecord, 'keyId' | 'status' | 'expiresAt'>[],
  by: RotatedBy,
  nowMs: number,
): void {
  const valid = successors.find(({ status, expiresAt }) => status === 'active' && expiresAt > nowMs);
  if (valid) {
    throw new ServiceError(
      'invalid_request',
      `Key ${keyId} was rotated already: rotate its successor ${valid.keyId} instead, or revoke that one first`,
    );
  }
  if (by === 'itself' && successors.length > 0) {
    throw new ServiceError(
      'invalid_request',
      `Key ${keyId} has rotated already, and its successor has ended: only a person can rotate it again, or create a new key`,
    );
  }
}
