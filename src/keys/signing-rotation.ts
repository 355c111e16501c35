import { ServiceError } from '../errors.ts';
import { FileKeyring, generateSigningKey, type Keyring } from './keyring.ts';
import type { Keys } from './keys.ts';
import { censusOf, sumOf, type TokenCensus, type TokenState } from './token-state.ts';

/** Tells how far a walk over all organizations has come. */
export type OnProgress = (done: number, total: number) => void;

export interface SigningRotationParts {
  readonly keyring: Keyring;
  readonly keys: Keys;
  readonly organizations: { list(): Promise<{ orgId: string }[]> };
  /** Runs `body` while no other process runs one; throws `unavailable` when another does. */
  alone<R>(body: () => Promise<R>): Promise<R>;
  /** Whether other machines may hold a copy of the key file, which a change here would not reach. */
  readonly hasCopies: boolean;
}

const inlineSteps =
  'SIGNING_KEY holds the keys themselves, so that only you can change it. Put a new key behind the old one ' +
  'and restart every server; put the new one first and restart; run "embedgate signing-key reissue"; ' +
  'take the old one out and restart';

const copiesSteps =
  'Every replica may have its own copy of SIGNING_KEY, so that only you can change it. Put a new key behind the old ' +
  'one on every replica; then put the new one first on every replica; run "embedgate signing-key reissue"; then take ' +
  'the old one out';

/**
 * Changes the key that signs the tokens without a request failing. Every server looks at the key file again whenever it
 * meets a key id it does not know, and all keys in the file verify: so tokens of the old and of the new key are
 * good side by side for as long as both keys are in the file, and a rotation that was interrupted does no harm.
 */
export class SigningRotation {
  readonly #parts: SigningRotationParts;

  constructor(parts: SigningRotationParts) {
    this.#parts = parts;
  }

  /**
   * Puts a new key in front and issues all tokens anew. The older keys stay, to verify. Answers the tokens as they were
   * found: those that are not good stay as they are.
   */
  async rotate(onProgress: OnProgress): Promise<TokenCensus> {
    const keyring = this.#file();
    return this.#parts.alone(() => {
      keyring.replace([generateSigningKey(), ...keyring.keys()]);
      return this.#reissue(['older'], onProgress);
    });
  }

  /**
   * Issues all tokens again that another key of the keyring has signed: what to do after an interrupted rotation, or with new
   * content in SIGNING_KEY. With `trustsDatabase` also those that can't be verified, `orphaned` and `outdated`: their rows are
   * believed, which makes a key of whatever somebody has written into the database. Returns the tokens as they were found.
   */
  reissue(onProgress: OnProgress, { trustsDatabase = false } = {}): Promise<TokenCensus> {
    const states = trustsDatabase ? (['older', 'orphaned', 'outdated'] as const) : (['older'] as const);
    return this.#parts.alone(() => this.#reissue(states, onProgress));
  }

  /** Drops all keys but the one that signs. Throws `invalid_request` while a valid token needs another. Answers how many. */
  async retire(onProgress: OnProgress): Promise<number> {
    const keyring = this.#file();
    return this.#parts.alone(async () => {
      const [signer, ...older] = keyring.keys();
      const census = await this.#overAll((orgId) => this.#parts.keys.census(orgId), onProgress);
      if (census.older > 0) {
        throw new ServiceError(
          'invalid_request',
          `${census.older} of the API keys still need an older signing key: run "embedgate signing-key reissue" first`,
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
    step: (orgId: string) => Promise<TokenCensus>,
    onProgress: OnProgress,
  ): Promise<TokenCensus> {
    const organizations = await this.#parts.organizations.list();
    let census = censusOf([]);
    onProgress(0, organizations.length);
    for (const [i, { orgId }] of organizations.entries()) {
      census = sumOf(census, await step(orgId));
      onProgress(i + 1, organizations.length);
    }
    return census;
  }

  #file(): FileKeyring {
    const { keyring, hasCopies } = this.#parts;
    if (!(keyring instanceof FileKeyring)) throw new ServiceError('invalid_request', inlineSteps);
    if (hasCopies) throw new ServiceError('invalid_request', copiesSteps);
    return keyring;
  }
}
