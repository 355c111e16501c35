import type { Ask } from '../../src/quota/ask.ts';
import { noUnits, type Units } from '../../src/quota/limit.ts';

/** Returns what a request with a key that was never rotated asks the ledger for. */
export function askOf(keyId: string, units: Partial<Units> = {}): Ask {
  return {
    keyId,
    limitsKeyId: keyId,
    limitsUserId: 'user',
    model: 'test-model',
    units: { ...noUnits, requests: 1, texts: 1, tokens: 1, ...units },
  };
}
