import { ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { signToken } from './cwt.ts';
import type { Keyring } from './keyring.ts';
import { digestOf, generateSecret, hintOf } from './secret.ts';
import { censusOf, type TokenCensus, type TokenState, tokenState } from './token-state.ts';
import { validName } from './valid-name.ts';

export type KeyStatus = 'active' | 'revoked';

/** A key at rest. Times in milliseconds since the Unix epoch. */
export interface KeyRecord {
  readonly keyId: string;
  readonly orgId: string;
  readonly userId: string;
  readonly name: string;
  readonly digest: string;
  readonly hint: string;
  readonly token: Uint8Array;
  readonly status: KeyStatus;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
}

/** What may be shown of a key. */
export type KeySummary = Omit<KeyRecord, 'digest' | 'token'> & { readonly lastUsedAt: number | null };

/** A key just made: the only time that its secret exists outside of its owner's hands. */
export interface CreatedKey {
  readonly key: KeySummary;
  readonly secret: string;
}

/** What a token is issued from; `revision` changes whenever a key is added or a token issued anew. */
export interface OrganizationForTokens {
  readonly orgId: string;
  readonly tier: string;
  readonly revision: number;
}

/** A key's expiry and token, to be put in place of the old ones. */
export interface TokenChange {
  readonly keyId: string;
  readonly token: Uint8Array;
  readonly expiresAt: number;
}

export interface KeyStore {
  organization(orgId: string): Promise<OrganizationForTokens | undefined>;
  /** In one transaction, and only if the organization is still at `revision`; else false and nothing is changed. */
  change(
    orgId: string,
    revision: number,
    changes: { add?: KeyRecord; tokens: TokenChange[] },
  ): Promise<boolean>;
  /** False: there is no such key. A key revoked before keeps its first `revokedAt`. */
  revoke(keyId: string, nowMs: number): Promise<boolean>;
  find(keyId: string): Promise<KeyRecord | undefined>;
  /** Newest first. */
  list(orgId: string): Promise<KeySummary[]>;
  /** Active keys of an organization, with what a new token needs. */
  activeKeys(orgId: string): Promise<Pick<KeyRecord, 'keyId' | 'expiresAt' | 'token'>[]>;
}

/** 9999-12-31T23:59:59Z, the expiry of a key that never expires. */
export const neverMs = Date.UTC(9999, 11, 31, 23, 59, 59);
const defaultLifetimeMs = 365 * 86_400_000;

/** Somebody else changed the organization between our read and our write this often: give up rather than spin. */
const maxAttempts = 20;

export class Keys {
  readonly #store: KeyStore;
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor(store: KeyStore, keyring: Keyring, clock: Clock) {
    this.#store = store;
    this.#keyring = keyring;
    this.#clock = clock;
  }

  /** `lifetimeMs` undefined: one year; Infinity: never. Throws `not_found` and `invalid_request`. */
  create(input: { orgId: string; userId: string; name: string; lifetimeMs?: number }): Promise<CreatedKey> {
    const name = validName(input.name);
    const userId = validName(input.userId, 'user_id');
    return this.#changing(input.orgId, async (organization) => {
      const created = this.#newKey(organization, userId, name, this.#expiry(input.lifetimeMs));
      return { change: { add: created.record, tokens: [] }, result: publicView(created) };
    });
  }

  /** Makes a key in place of `keyId`, which stays valid for `graceMs` and at most as long as it was to live. */
  async rotate(keyId: string, graceMs: number): Promise<CreatedKey & { oldExpiresAt: number }> {
    const old = await this.#store.find(keyId);
    if (!old) throw new ServiceError('not_found', `No key ${keyId}`);
    const lifetimeMs = old.expiresAt >= neverMs ? Number.POSITIVE_INFINITY : old.expiresAt - old.createdAt;
    return this.#changing(old.orgId, async (organization) => {
      const current = await this.#store.find(keyId);
      const nowMs = this.#clock.now();
      if (current?.status !== 'active' || current.expiresAt <= nowMs) {
        throw new ServiceError('invalid_request', `Key ${keyId} is not active; create a new key instead`);
      }
      const state = tokenState(current.token, { ...organization, ...current }, this.#keyring);
      if (state === 'broken' || state === 'orphaned') {
        throw new ServiceError(
          'invalid_request',
          `The token of key ${keyId} is not valid; create a new key instead`,
        );
      }
      const created = this.#newKey(organization, current.userId, current.name, this.#expiry(lifetimeMs));
      const oldExpiresAt = Math.min(wholeSeconds(nowMs + graceMs), current.expiresAt);
      const token = this.#token(organization, keyId, oldExpiresAt);
      return {
        change: { add: created.record, tokens: [{ keyId, token, expiresAt: oldExpiresAt }] },
        result: { ...publicView(created), oldExpiresAt },
      };
    });
  }

  /** Final, and effective with the very next request. Throws `not_found`. */
  async revoke(keyId: string): Promise<void> {
    if (!(await this.#store.revoke(keyId, this.#clock.now()))) {
      throw new ServiceError('not_found', `No key ${keyId}`);
    }
  }

  list(orgId: string): Promise<KeySummary[]> {
    return this.#store.list(orgId);
  }

  /**
   * The tokens of an organization's active keys, issued anew for `tier`. A token that is not valid now gets no new one:
   * signing what a changed row says would turn tampering into a privilege.
   */
  async tokensFor(organization: OrganizationForTokens, tier: string): Promise<TokenChange[]> {
    const judged = await this.#judged(organization);
    return judged
      .filter(({ state }) => state === 'current' || state === 'older')
      .map(({ keyId, expiresAt }) => ({
        keyId,
        expiresAt,
        token: this.#token({ ...organization, tier }, keyId, expiresAt),
      }));
  }

  /**
   * Issues the tokens of an organization's active keys anew that are in one of `states`, under the key that signs now,
   * and answers what was found. Whatever was being signed meanwhile by an older key is signed again by this one.
   */
  reissue(orgId: string, states: readonly TokenState[]): Promise<TokenCensus> {
    return this.#changing(orgId, async (organization) => {
      const judged = await this.#judged(organization);
      const tokens = judged
        .filter(({ state }) => states.includes(state))
        .map(({ keyId, expiresAt }) => ({
          keyId,
          expiresAt,
          token: this.#token(organization, keyId, expiresAt),
        }));
      // Also without a token to change: raising the revision is what refuses a change signed before.
      return { change: { tokens }, result: censusOf(judged.map(({ state }) => state)) };
    });
  }

  /** How many tokens of an organization's active keys are in which state. Throws `not_found`. */
  async census(orgId: string): Promise<TokenCensus> {
    const organization = await this.#store.organization(orgId);
    if (!organization) throw new ServiceError('not_found', `No organization ${orgId}`);
    return censusOf((await this.#judged(organization)).map(({ state }) => state));
  }

  async #judged(organization: OrganizationForTokens) {
    const active = await this.#store.activeKeys(organization.orgId);
    return active.map((key) => ({
      ...key,
      state: tokenState(key.token, { ...organization, ...key }, this.#keyring),
    }));
  }

  async #changing<R>(
    orgId: string,
    plan: (
      organization: OrganizationForTokens,
    ) => Promise<{ change: { add?: KeyRecord; tokens: TokenChange[] }; result: R }>,
  ): Promise<R> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const organization = await this.#store.organization(orgId);
      if (!organization) throw new ServiceError('not_found', `No organization ${orgId}`);
      const { change, result } = await plan(organization);
      if (await this.#store.change(orgId, organization.revision, change)) return result;
    }
    throw new ServiceError('unavailable', `Organization ${orgId} is being changed by others; try again`);
  }

  #newKey(
    organization: OrganizationForTokens,
    userId: string,
    name: string,
    expiresAt: number,
  ): { record: KeyRecord; secret: string } {
    const secret = generateSecret();
    const keyId = newId();
    const record: KeyRecord = {
      keyId,
      orgId: organization.orgId,
      userId,
      name,
      digest: digestOf(secret),
      hint: hintOf(secret),
      token: this.#token(organization, keyId, expiresAt),
      status: 'active',
      createdAt: this.#clock.now(),
      expiresAt,
      revokedAt: null,
    };
    return { record, secret };
  }

  #token({ orgId, tier }: OrganizationForTokens, keyId: string, expiresAtMs: number): Uint8Array {
    const issuedAt = Math.floor(this.#clock.now() / 1_000);
    return signToken(
      { keyId, orgId, tier, expiresAt: Math.floor(expiresAtMs / 1_000), issuedAt },
      this.#keyring.signing(),
    );
  }

  #expiry(lifetimeMs: number = defaultLifetimeMs): number {
    return Math.min(neverMs, wholeSeconds(this.#clock.now() + lifetimeMs));
  }
}

/** Tokens tell expiry in seconds, so a key's expiry is a whole second. */
function wholeSeconds(ms: number): number {
  return Number.isFinite(ms) ? Math.ceil(ms / 1_000) * 1_000 : neverMs;
}

function publicView({ record, secret }: { record: KeyRecord; secret: string }): CreatedKey {
  const { digest: _digest, token: _token, ...shown } = record;
  return { key: { ...shown, lastUsedAt: null }, secret };
}
