import { invalidRequest } from '../errors.ts';
import { tokenKid } from '../keys/cwt.ts';
import type { Keyring } from '../keys/keyring.ts';

/**
 * Throws `invalid_request` if some of the API keys with these tokens would be refused, because the keyring has not
 * signed them. `advice` says what to do then.
 */
export function requireAccepted(
  tokens: readonly Uint8Array[],
  keyring: Keyring | undefined,
  advice: string,
): void {
  const orphaned = tokens.filter((token) => {
    const kid = tokenKid(token);
    return kid && !keyring?.find(kid);
  });
  if (orphaned.length === 0) return;
  throw invalidRequest(
    `SIGNING_KEY did not sign ${orphaned.length} of the ${tokens.length} active API keys, which would be ` +
      `refused: ${advice}`,
  );
}
