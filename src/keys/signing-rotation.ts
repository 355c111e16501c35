import { invalidRequest } from '../errors.ts';
import { allRows, type Page, type PageQuery } from '../lib/page.ts';
import { FileKeyring, generateSigningKey, type Keyring } from './keyring.ts';
import type { Keys } from './keys.ts';
import { censusOf, sumOf, type TokenCensus, type TokenState } from './token-state.ts';

/** Reports the progress of a pass over all organizations. */
export type OnProgress = (done: number, total: number) => void;

export interface SigningRotationParts {
  readonly keyring: Keyring;
  readonly keys: Keys;
  readonly organizations: { list(query: PageQuery): Promise<Page<{ orgId: string }>> };
  /** Runs `body` while no other process runs one. Throws `unavailable` when another process does. */
  alone<R>(body: () => Promise<R>): Promise<R>;
  /** Whether other machines may hold a copy of the key file, which would not be updated. */
  readonly hasCopies: boolean;
}

const inlineSteps =
  'SIGNING_KEY contains the keys themselves, so only you can change it. Add a new key after the old one ' +
  'and restart every server; put the new one first and restart; run "embedgate signing-key reissue"; ' +
  'remove the old one and restart';

const copiesSteps =
  'Every replica may have its own copy of SIGNING_KEY, so only you can change it. Add a new key after the old ' +
  'one on every replica; then put the new one first on every replica; run "embedgate signing-key reissue"; then ' +
  'remove the old one';

/**
 * Changes the signing key without failing a request. Every server rereads the key file when it meets an unknown key id,
 * and all keys in the file verify. Tokens of the old and the new key are therefore both valid while both keys are in
 * the file, and an interrupted rotation does no harm.
 */
export class SigningRotation {
  readonly #parts: SigningRotationParts;

  constructor(parts: SigningRotationParts) {
    this.#parts = parts;
  }

  /**
   * Adds a new signing key and re-signs all valid tokens. The older keys stay in the file to verify. Returns the
   * tokens' states before the change; tokens that are not valid stay unchanged.
   */
  async rotate(onProgress: OnProgress): Promise<TokenCensus> {
    const keyring = this.#file();
    return this.#parts.alone(() => {
      keyring.replace([generateSigningKey(), ...keyring.keys()]);
      return this.#reissue(['older'], onProgress);
    });
  }

  /**
   * Re-signs all valid tokens that the current key did not sign, after an interrupted rotation or a change of
   * SIGNING_KEY. With `trustsDatabase`, also re-signs `orphaned` tokens, which can't be verified: their
   * rows are trusted, so anything that someone wrote into the database becomes a valid key. Returns the tokens' states
   * before the change.
   */
  reissue(onProgress: OnProgress, { trustsDatabase = false } = {}): Promise<TokenCensus> {
    const states = trustsDatabase ? (['older', 'orphaned'] as const) : (['older'] as const);
    return this.#parts.alone(() => this.#reissue(states, onProgress));
  }

  /**
   * Removes all keys except the signing key and returns how many. Throws `invalid_request` while a valid token needs
   * another key.
   */
  async retire(onProgress: OnProgress): Promise<number> {
    const keyring = this.#file();
    return this.#parts.alone(async () => {
      const [signer, ...older] = keyring.keys();
      const census = await this.#overAll((orgId) => this.#parts.keys.census(orgId), onProgress);
      const needing = census.older + census.newer;
      if (needing > 0) {
        throw invalidRequest(
          `${needing} of the API keys still need an older signing key: run "embedgate signing-key reissue" first`,
        );
      }
      if (older.length > 0) keyring.replace([signer]);
      return older.length;
    });
  }

  #reissue(states: readonly TokenState[], onProgress: OnProgress): Promise<TokenCensus> {
    return this.#overAll((orgId) => this.#parts.keys.reissue(orgId, states), onProgress);
  }

  async #overAll(
    step: (orgId: string | null) => Promise<TokenCensus>,
    onProgress: OnProgress,
  ): Promise<TokenCensus> {
    const { organizations: all } = this.#parts;
    const organizations = await allRows((page) => all.list(page));
    let census = censusOf([]);
    onProgress(0, organizations.length);
    for (const [i, { orgId }] of organizations.entries()) {
      census = sumOf(census, await step(orgId));
      onProgress(i + 1, organizations.length);
    }
    census = sumOf(census, await step(null));
    return census;
  }

  #file(): FileKeyring {
    const { keyring, hasCopies } = this.#parts;
    if (!(keyring instanceof FileKeyring)) throw invalidRequest(inlineSteps);
    if (hasCopies) throw invalidRequest(copiesSteps);
    return keyring;
  }
}
