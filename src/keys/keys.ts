import { invalidField, invalidRequest, notFound, ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { inStepsOfEach } from '../lib/in-steps.ts';
import type { Page, PageQuery } from '../lib/page.ts';
import {
  type ActiveKey,
  type CreatedKey,
  describedBy,
  type KeyChange,
  type KeyChoices,
  type KeyCounts,
  type KeyFilter,
  type KeyRecord,
  type KeySummary,
  keyList,
  type LinkedKey,
  lifetimeOf,
  type NewKey,
  neverMs,
  type OrganizationForTokens,
  publicView,
  type RotatedBy,
  requireEnd,
  requireNoSuccessor,
  type TokenChange,
  validName,
  wholeSeconds,
} from './key.ts';
import { digestOf, generateSecret, hintOf } from './key-secret.ts';
import type { Keyring } from './keyring.ts';
import type { KeyRights } from './rights.ts';
import type { keysIn } from './stored-keys.ts';
import {
  censusOf,
  isGood,
  issueToken,
  type TokenCensus,
  type TokenState,
  tokenState,
} from './token-state.ts';

export type * from './key.ts';
export type KeyStore = ReturnType<typeof keysIn>;

const dayMs = 86_400_000;
const defaultLifetimeMs = 365 * dayMs;
const defaultMaxPerOrganization = 1_000;
/** More than people rotate a key by hand. */
const maxChainShown = 100;
/** Maximum number of tries to write a change while others keep changing the organization. */
const maxAttempts = 20;

type Origin = KeyChoices &
  Pick<KeyRecord, 'userId' | 'expiresAt' | 'rotatedFrom' | 'firstKeyId' | 'isSelfMade' | 'lifetimeMs'>;

/** Throws if the caller may not give a key these rights, or change or rotate a key that has them. */
type MayGive = (rights: KeyRights) => void;
const anything: MayGive = () => {};

export type KeyQuery = PageQuery & { readonly status?: KeyFilter | undefined };

/** A filter changes the cursors only if there is one. */
const keyRequest = (orgId: string, query: KeyQuery) =>
  keyList.request(query, query.status === undefined ? [orgId] : [orgId, query.status]);

/** Maximum number of keys that one search looks up. */
const maxSecrets = 100;
/** Per organization, so that an organization that creates keys all the time has a bounded list. */
const endedKeysKept = 10_000;

export class Keys {
  readonly #store: KeyStore;
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  readonly #maxPerOrganization: number;
  /** The organizations that got keys since the last `pruneEnded`. */
  readonly #added = new Set<string>();

  constructor(
    store: KeyStore,
    keyring: Keyring,
    clock: Clock,
    maxPerOrganization: number = defaultMaxPerOrganization,
  ) {
    this.#store = store;
    this.#keyring = keyring;
    this.#clock = clock;
    this.#maxPerOrganization = maxPerOrganization;
  }

  /** Throws `not_found` and `invalid_request`. */
  async create(input: NewKey, mayGive = anything): Promise<CreatedKey> {
    const description = describedBy(input);
    mayGive(description);
    const userId = validName(input.userId, 'user_id');
    const lifetimeMs = Math.min(input.lifetimeMs ?? defaultLifetimeMs, neverMs);
    return this.#changing(input.orgId, async (organization) => {
      await this.#requireRoom(organization.orgId);
      const created = this.#newKey(organization, {
        ...description,
        userId,
        lifetimeMs,
        expiresAt: this.#expiryAfter(lifetimeMs),
        rotatedFrom: null,
        firstKeyId: null,
        isSelfMade: false,
      });
      return { change: { add: created.record, tokens: [] }, result: publicView(created) };
    });
  }

  /**
   * Creates a key that replaces `keyId`. The old key stays valid for `graceMs`, but not past its own expiry. If a
   * person rotates, the new key gets the lifetime that the old one was created with; if the key rotates itself, it gets
   * the old one's expiry. Throws `not_found`, and `invalid_request` for a key that is not valid or was already rotated.
   */
  async rotate(
    keyId: string,
    graceMs: number,
    by: RotatedBy = 'person',
    mayGive = anything,
  ): Promise<CreatedKey & { oldExpiresAt: number }> {
    const { orgId } = await this.#found(keyId);
    return this.#changing(orgId, async (organization) => {
      const old = await this.#found(keyId);
      const nowMs = this.#clock.now();
      mayGive(old);
      this.#requireGood(old, organization);
      if (!old.enabled) throw invalidRequest(`Key ${keyId} is paused; resume it first`);
      requireNoSuccessor(keyId, await this.#store.successors(keyId), by, nowMs);
      // A person has room to replace a key, whatever a leaked one has created.
      await this.#requireRoom(orgId, by === 'person' ? 2 : 1);
      const lifetimeMs = lifetimeOf(old);
      const created = this.#newKey(organization, {
        ...describedBy(old),
        userId: old.userId,
        lifetimeMs,
        rotatedFrom: keyId,
        firstKeyId: old.firstKeyId ?? keyId,
        expiresAt: by === 'itself' ? old.expiresAt : this.#expiryAfter(lifetimeMs),
        isSelfMade: by === 'itself',
      });
      const expiresAt = Math.min(wholeSeconds(nowMs + graceMs), old.expiresAt);
      const token = this.#token(organization, { ...old, expiresAt });
      return {
        change: { add: created.record, tokens: [{ keyId, token, expiresAt, lifetimeMs }] },
        result: { ...publicView(created), oldExpiresAt: expiresAt },
      };
    });
  }

  /**
   * Changes a key, effective with the next request. A new expiry is also the lifetime of the keys that replace it.
   * Throws `not_found`, and `invalid_request` for a key that is not valid.
   */
  async change(keyId: string, changes: KeyChange, mayGive = anything): Promise<void> {
    const { orgId } = await this.#found(keyId);
    return this.#changing(orgId, async (organization) => {
      const key = await this.#found(keyId);
      mayGive(key);
      this.#requireGood(key, organization);
      const description = describedBy({ ...key, ...changes });
      mayGive(description);
      const { enabled = key.enabled } = changes;
      const expiresAt = Math.min(neverMs, wholeSeconds(changes.expiresAt ?? key.expiresAt));
      if (expiresAt <= this.#clock.now())
        throw invalidField('expires_at', 'expires_at must be in the future');
      requireEnd(description.scopes, expiresAt);
      const changed = { ...description, enabled, expiresAt };
      const token = this.#token(organization, { ...key, ...changed });
      const lifetimeMs = changes.expiresAt === undefined ? key.lifetimeMs : null;
      return { change: { tokens: [{ keyId, token, lifetimeMs, ...changed }] }, result: undefined };
    });
  }

  /**
   * Permanently revokes a key and every key that it created by rotating itself, effective with the next request.
   * Returns the ids of the other keys that were revoked. Throws `not_found`.
   */
  async revoke(keyId: string): Promise<string[]> {
    const revoked = await this.#store.revoke(keyId, this.#clock.now());
    if (!revoked) throw noKey(keyId);
    return revoked.filter((id) => id !== keyId).sort();
  }

  /** Returns a page of an organization's keys. Throws `invalid_request`. */
  async list(orgId: string, query: KeyQuery): Promise<Page<KeySummary>> {
    const { status = null } = query;
    return this.#store.list(orgId, { status, nowMs: this.#clock.now() }, keyRequest(orgId, query));
  }

  /** Counts the keys that match the search of the query, by status. Throws `invalid_request`. */
  async counts(orgId: string, query: KeyQuery): Promise<KeyCounts> {
    return this.#store.counts(orgId, this.#clock.now(), keyRequest(orgId, query));
  }

  /** Returns the keys that a key has replaced, the key, and those that have replaced it, oldest first. */
  chainOf({ orgId, keyId, firstKeyId }: KeySummary): Promise<LinkedKey[]> {
    return this.#store.chain(orgId, firstKeyId ?? keyId, maxChainShown);
  }

  /** Returns those of an organization's keys that the rows name, by id. */
  async byId(orgId: string, rows: readonly { readonly keyId: string }[]): Promise<Map<string, KeySummary>> {
    const keyIds = new Set(rows.map(({ keyId }) => keyId));
    const found = await this.#store.summaries(orgId, [...keyIds]);
    return new Map(found.map((key) => [key.keyId, key]));
  }

  /**
   * Returns the keys whose secrets a text has, whatever their status. Throws `invalid_request` for a text without
   * one.
   */
  async bySecrets(text: string): Promise<KeySummary[]> {
    const secrets = new Set(text.match(/sk_[0-9a-f]{64}/g)?.slice(0, maxSecrets));
    if (secrets.size === 0)
      throw invalidRequest('There is no API key in standard input: a key is sk_ and 64 hexadecimal digits');
    const found = [...secrets].map((secret) => this.#store.alike('digest', digestOf(secret)));
    return (await Promise.all(found)).flat();
  }

  /** Returns some keys with a hint, or with its last digits. */
  byHint(hint: string): Promise<KeySummary[]> {
    return this.#store.alike('hint', hintOf(hint));
  }

  /** Returns one of an organization's keys. */
  async find(orgId: string, keyId: string): Promise<KeySummary | undefined> {
    const [key] = await this.#store.summaries(orgId, [keyId]);
    return key;
  }

  /**
   * Re-signs the tokens of an organization's active keys for `tier`. Skips tokens that are not valid: signing the
   * values of a row that someone changed would turn tampering into a privilege.
   */
  async tokensFor(organization: OrganizationForTokens, tier: string): Promise<TokenChange[]> {
    const judged = await this.#judged(organization);
    return judged
      .filter(({ state }) => isGood(state))
      .map((key) => this.#tokenChange({ ...organization, tier }, key));
  }

  /**
   * Re-signs those tokens of an organization's active keys that are in one of `states`, with the current key, and
   * returns the states as they were. A change that was being signed with an older key at the same time is refused and
   * signed again.
   */
  reissue(orgId: string, states: readonly TokenState[]): Promise<TokenCensus> {
    return this.#changing(orgId, async (organization) => {
      const judged = await this.#judged(organization);
      const tokens = judged
        .filter(({ state }) => states.includes(state))
        .map((key) => this.#tokenChange(organization, key));
      // Write even without tokens to change: raising the revision refuses changes that were signed earlier.
      return { change: { tokens }, result: censusOf(judged.map(({ state }) => state)) };
    });
  }

  /** Returns the number of tokens of an organization's active keys in each state. Throws `not_found`. */
  async census(orgId: string): Promise<TokenCensus> {
    const organization = await this.#store.organization(orgId);
    if (!organization) throw notFound(`No organization ${orgId}`);
    return censusOf((await this.#judged(organization)).map(({ state }) => state));
  }

  async #judged(organization: OrganizationForTokens) {
    const active = await this.#store.activeKeys(organization.orgId);
    return active.map((key) => ({ ...key, state: this.#stateOf(key, organization) }));
  }

  #stateOf(key: ActiveKey, organization: OrganizationForTokens): TokenState {
    return tokenState(key.token, { ...organization, ...key }, this.#keyring);
  }

  async #found(keyId: string): Promise<KeyRecord> {
    const key = await this.#store.find(keyId);
    if (!key) throw noKey(keyId);
    return key;
  }

  #requireGood(key: KeyRecord, organization: OrganizationForTokens): void {
    const { keyId, status, expiresAt } = key;
    if (status !== 'active' || expiresAt <= this.#clock.now()) {
      throw invalidRequest(`Key ${keyId} is not active; create a new key instead`);
    }
    if (!isGood(this.#stateOf(key, organization))) {
      throw invalidRequest(`The token of key ${keyId} is not valid; create a new key instead`);
    }
  }

  /** Doesn't count ended keys, so that a person who revokes a key has room for another one. */
  async #requireRoom(orgId: string, times = 1): Promise<void> {
    const max = this.#maxPerOrganization * times;
    if ((await this.#store.countValid(orgId, this.#clock.now())) < max) return;
    throw invalidRequest(
      `The organization has ${max} valid API keys, which is the maximum (MAX_KEYS_PER_ORGANIZATION): revoke keys ` +
        'that are not needed',
      { bound: 'MAX_KEYS_PER_ORGANIZATION' },
    );
  }

  /** Deletes the oldest ended keys, beyond `keep`, of the organizations to which this process has added keys. */
  pruneEnded(signal?: AbortSignal, keep: number = endedKeysKept): Promise<void> {
    const step = (orgId: string) => this.#store.pruneEnded(orgId, this.#clock.now(), keep);
    return inStepsOfEach(this.#added, step, signal);
  }

  async #changing<R>(
    orgId: string,
    plan: (
      organization: OrganizationForTokens,
    ) => Promise<{ change: { add?: KeyRecord; tokens: TokenChange[] }; result: R }>,
  ): Promise<R> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const organization = await this.#store.organization(orgId);
      if (!organization) throw notFound(`No organization ${orgId}`);
      const { change, result } = await plan(organization);
      if (!(await this.#store.change(orgId, organization.revision, change))) continue;
      if (change.add) this.#added.add(orgId);
      return result;
    }
    throw new ServiceError('unavailable', `Organization ${orgId} is being changed by others; try again`);
  }

  #newKey(organization: OrganizationForTokens, origin: Origin): { record: KeyRecord; secret: string } {
    requireEnd(origin.scopes, origin.expiresAt);
    const secret = generateSecret();
    const key = { ...origin, keyId: newId(), digest: digestOf(secret), enabled: true };
    const record: KeyRecord = {
      ...key,
      orgId: organization.orgId,
      hint: hintOf(secret),
      token: this.#token(organization, key),
      status: 'active',
      createdAt: this.#clock.now(),
      revokedAt: null,
    };
    return { record, secret };
  }

  #tokenChange(organization: OrganizationForTokens, key: ActiveKey): TokenChange {
    return { keyId: key.keyId, token: this.#token(organization, key) };
  }

  #token({ orgId, tier }: OrganizationForTokens, key: Omit<ActiveKey, 'token'>): Uint8Array {
    return issueToken({ ...key, orgId, tier }, this.#keyring, this.#clock.now());
  }

  #expiryAfter(lifetimeMs: number): number {
    return Math.min(neverMs, wholeSeconds(this.#clock.now() + lifetimeMs));
  }
}

const noKey = (keyId: string): ServiceError => notFound(`No key ${keyId}`);
