import type { Keyring } from '../keys/keyring.ts';

/** What an upgrade issues tokens again with. */
export interface TokenSigner {
  /** Not called where no token has to be issued again. */
  keyring(): Keyring;
  /** Whether the rows of keys are believed whose tokens nothing can verify, because the key that signed them is lost. */
  readonly trustsDatabase?: boolean;
}
