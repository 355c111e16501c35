import { ServiceError } from '../errors.ts';
import type { KeyRecord } from './key.ts';

/** The caller that rotates a key: the key itself, or a person with the permission. */
export type RotatedBy = 'itself' | 'person';

/**
 * Throws `invalid_request` if a key has a valid successor. A key can rotate itself only once: if its successor has
 * ended, a person has to find out why.
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
      `Key ${keyId} was already rotated: rotate its successor ${valid.keyId} instead, or revoke that one first`,
    );
  }
  if (by === 'itself' && successors.length > 0) {
    throw new ServiceError(
      'invalid_request',
      `Key ${keyId} has rotated already, and its successor has ended: only a person can rotate it again, or create a new key`,
    );
  }
}
