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
  type KeyOwner,
  type KeyRecord,
  type KeySummary,
  type KeysAsked,
  keyList,
  type LinkedKey,
  lifetimeOf,
  type NewKey,
  neverMs,
  publicView,
  type RotatedBy,
  requireEnd,
  requireNoSuccessor,
  type TokenChange,
  takenSecret,
  validName,
  wholeSeconds,
} from './key.ts';
import { digestOf, generateSecret, hintOf, secretsIn } from './key-secret.ts';
import type { Keyring } from './keyring.ts';
import type { KeyRights } from './rights.ts';
import type { keysIn } from './stored-keys.ts';
import {
  censusOf,
  isGood,
  issueToken,
  requireKnown,
  type TokenCensus,
  type TokenState,
  tokenState,
} from './token-state.ts';

export type * from './key.ts';
export type KeyStore = ReturnType<typeof keysIn>;

const dayMs = 86_400_000;
const defaultLifetimeMs = 365 * dayMs;
/** More than people rotate a key by hand. */
const maxChainShown = 100;
/** Maximum number of tries to write a change while others keep changing the organization. */
const maxAttempts = 20;

type Origin = KeyChoices &
  Pick<
    KeyRecord,
    'userId' | 'externalId' | 'expiresAt' | 'rotatedFrom' | 'firstKeyId' | 'isSelfMade' | 'lifetimeMs'
  >;

/** Throws if the caller may not give a key these rights until then, or change or rotate a key that has them. */
type MayGive = (rights: KeyRights, expiresAt?: number) => void;
const anything: MayGive = () => {};
const validUserId = (given: string | null) => (given === null ? null : validName(given, 'user_id'));

/** Returns a new key with its external id as it is stored. Throws `invalid_request`. */
const named = <Input extends NewKey>(input: Input): Input =>
  input.externalId == null ? input : { ...input, externalId: validName(input.externalId, 'external_id') };

export type KeyQuery = PageQuery & {
  readonly status?: KeyFilter | undefined;
  readonly user_id?: string | undefined;
  readonly external_id?: string | undefined;
};

const keyRequest = (orgId: string | null, { status, user_id, external_id, ...page }: KeyQuery) =>
  keyList.request(page, [orgId, status ?? null, user_id ?? null, external_id ?? null]);

/** Maximum number of keys that one search looks up. */
const maxSecrets = 100;
/** Per organization, so that an organization that creates keys all the time has a bounded list. */
const endedKeysKept = 10_000;

/** Undefined: those of the settings that are not set. */
interface Options {
  readonly maxKeysPerOrganization?: number;
  readonly keyPrefix?: string;
}

export class Keys {
  readonly #store: KeyStore;
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  readonly #maxPerOrganization: number;
  readonly #prefix: string | undefined;
  /** The organizations that got keys since the last `pruneEnded`. */
  readonly #added = new Set<string | null>();

  constructor(
    store: KeyStore,
    keyring: Keyring,
    clock: Clock,
    { maxKeysPerOrganization = 1_000, keyPrefix }: Options = {},
  ) {
    this.#store = store;
    this.#keyring = keyring;
    this.#clock = clock;
    this.#maxPerOrganization = maxKeysPerOrganization;
    this.#prefix = keyPrefix;
  }

  /** Throws `not_found` and `invalid_request`. */
  create(given: NewKey, mayGive = anything): Promise<CreatedKey> {
    const input = named(given);
    return this.#changing(input.orgId, async (owner) => {
      if (input.externalId != null && (await this.#store.named(input.orgId, input.externalId)))
        throw invalidField('external_id', `There is a key with the external_id "${input.externalId}"`);
      const created = await this.#toAdd(owner, input, mayGive);
      return { change: { add: created.record, tokens: [] }, result: publicView(created) };
    });
  }

  /**
   * Creates the key with an external id, or makes the changes to it. The same call twice has the same result. A key that
   * has ended is replaced. Returns its id. Throws `not_found`, and `invalid_request` if the key has another secret.
   */
  put(
    given: NewKey & { externalId: string; digest: string },
    changes: KeyChange,
    mayGive = anything,
  ): Promise<string> {
    const input = named(given);
    const { orgId, externalId, digest } = input;
    return this.#changing(orgId, async (owner) => {
      const old = await this.#store.named(orgId, externalId);
      if (old?.status === 'active' && old.expiresAt > this.#clock.now()) {
        if (old.digest !== digest)
          throw invalidField('secret_sha256', 'The key has another secret: to replace that, rotate the key');
        const tokens = [this.#toChange(owner, old, changes, mayGive)];
        return { change: { tokens }, result: old.keyId };
      }
      const { record } = await this.#toAdd(owner, input, mayGive);
      const tokens = old ? [{ keyId: old.keyId, token: old.token, externalId: null }] : [];
      return { change: { add: record, tokens }, result: record.keyId };
    });
  }

  /**
   * Creates a key that replaces `keyId`. The old key stays valid for `graceMs`, but not past its own expiry. If a
   * person rotates, the new key gets the lifetime that the old one was created with; if the key rotates itself, the old
   * one's expiry. With a digest, the new key has the secret that the client keeps. Throws `not_found`, and
   * `invalid_request` for a key that is not valid or was already rotated.
   */
  async rotate(
    keyId: string,
    graceMs: number,
    by: RotatedBy = 'person',
    mayGive = anything,
    digest?: string,
  ): Promise<CreatedKey & { oldExpiresAt: number }> {
    const { orgId } = await this.#found(keyId);
    return this.#changing(orgId, async (organization) => {
      const old = await this.#found(keyId);
      const nowMs = this.#clock.now();
      const lifetimeMs = lifetimeOf(old);
      const end = by === 'itself' ? old.expiresAt : this.#expiryAfter(lifetimeMs);
      mayGive(old, end);
      this.#requireGood(old, organization);
      if (!old.enabled) throw invalidRequest(`Key ${keyId} is paused; resume it first`);
      requireNoSuccessor(keyId, await this.#store.successors(keyId), by, nowMs);
      // A person has room to replace a key, whatever a leaked one has created.
      await this.#requireRoom(orgId, by === 'person' ? 2 : 1);
      await this.#requireNewSecret(digest);
      const created = this.#newKey(
        organization,
        {
          ...describedBy(old),
          userId: old.userId,
          externalId: old.externalId,
          lifetimeMs,
          rotatedFrom: keyId,
          firstKeyId: old.firstKeyId ?? keyId,
          expiresAt: end,
          isSelfMade: by === 'itself',
        },
        digest,
      );
      const expiresAt = Math.min(wholeSeconds(nowMs + graceMs), old.expiresAt);
      const token = this.#token(organization, { ...old, expiresAt });
      return {
        change: { add: created.record, tokens: [{ keyId, token, expiresAt, lifetimeMs, externalId: null }] },
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
    return this.#changing(orgId, async (owner) => {
      const tokens = [this.#toChange(owner, await this.#found(keyId), changes, mayGive)];
      return { change: { tokens }, result: undefined };
    });
  }

  /** Records that someone makes a link to a key, and returns the key. Throws `not_found`, and `invalid_request` if it has ended. */
  async link(keyId: string): Promise<KeyRecord> {
    const key = await this.#found(keyId);
    const owner = await this.#store.owner(key.orgId);
    if (!owner) throw noOwner(key.orgId);
    this.#requireGood(key, owner);
    await this.#store.noteLink(key);
    return key;
  }

  /** Gives a key another secret, unless it has one already. Throws `invalid_request` if it has ended. */
  replaceSecret({ orgId, keyId, digest }: KeyRecord): Promise<CreatedKey | undefined> {
    return this.#changing(orgId, async (owner) => {
      const old = await this.#found(keyId);
      if (old.digest !== digest) return { change: { tokens: [] }, result: undefined };
      this.#requireGood(old, owner);
      const secret = generateSecret(this.#prefix);
      const given = { digest: digestOf(secret), hint: hintOf(secret) };
      const record = { ...old, ...given };
      const tokens = [{ keyId, token: this.#token(owner, record), ...given }];
      return { change: { tokens }, result: publicView({ record, secret }) };
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
  async list(orgId: string | null, query: KeyQuery): Promise<Page<KeySummary>> {
    return this.#store.list(orgId, this.#asked(query), keyRequest(orgId, query));
  }

  /** Counts the keys that match the search of the query, by status. Throws `invalid_request`. */
  async counts(orgId: string | null, query: KeyQuery): Promise<KeyCounts> {
    return this.#store.counts(orgId, this.#asked(query), keyRequest(orgId, query));
  }

  #asked({ status, user_id: userId, external_id: externalId }: KeyQuery): KeysAsked {
    return { status, userId, externalId, nowMs: this.#clock.now() };
  }

  /** Returns the keys that a key has replaced, the key, and those that have replaced it, oldest first. */
  chainOf({ orgId, keyId, firstKeyId }: KeySummary): Promise<LinkedKey[]> {
    return this.#store.chain(orgId, firstKeyId ?? keyId, maxChainShown);
  }

  /** Returns those of an organization's keys that the rows name, by id. */
  async byId(
    orgId: string | null,
    rows: readonly { readonly keyId: string }[],
  ): Promise<Map<string, KeySummary>> {
    const keyIds = new Set(rows.map(({ keyId }) => keyId));
    const found = await this.#store.summaries(orgId, [...keyIds]);
    return new Map(found.map((key) => [key.keyId, key]));
  }

  /**
   * Returns the keys whose secrets a text has, whatever their status. Throws `invalid_request` for a text without
   * one.
   */
  async bySecrets(text: string): Promise<KeySummary[]> {
    const secrets = [...secretsIn(text, this.#prefix)].slice(0, maxSecrets);
    if (secrets.length === 0) throw invalidRequest('There is no API key in standard input');
    const found = secrets.map((secret) => this.#store.alike('digest', digestOf(secret)));
    return (await Promise.all(found)).flat();
  }

  /** Returns some keys with a hint, or with its last digits. */
  byHint(hint: string): Promise<KeySummary[]> {
    return this.#store.alike('hint', hintOf(hint, this.#prefix));
  }

  /** Returns one of an organization's keys. */
  async find(orgId: string | null, keyId: string): Promise<KeySummary | undefined> {
    const [key] = await this.#store.summaries(orgId, [keyId]);
    return key;
  }

  /**
   * Re-signs the tokens of an organization's active keys for `tier`. Skips tokens that are not valid: signing the
   * values of a row that someone changed would turn tampering into a privilege. Throws `unavailable` if a newer release has
   * restricted one of the keys.
   */
  async tokensFor(organization: KeyOwner, tier: string): Promise<TokenChange[]> {
    const judged = await this.#judged(organization);
    requireKnown(judged.map(({ state }) => state));
    return judged
      .filter(({ state }) => isGood(state))
      .map((key) => this.#tokenChange({ ...organization, tier }, key));
  }

  /**
   * Re-signs those tokens of an organization's active keys that are in one of `states`, with the current key, and
   * returns the states as they were. A change that was being signed with an older key at the same time is refused and
   * signed again.
   */
  reissue(orgId: string | null, states: readonly TokenState[]): Promise<TokenCensus> {
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
  async census(orgId: string | null): Promise<TokenCensus> {
    const organization = await this.#store.owner(orgId);
    if (!organization) throw noOwner(orgId);
    return censusOf((await this.#judged(organization)).map(({ state }) => state));
  }

  /** Returns a new key of `owner`. */
  async #toAdd(owner: KeyOwner, input: NewKey, mayGive: MayGive) {
    const description = describedBy(input);
    const lifetimeMs = Math.min(input.lifetimeMs ?? defaultLifetimeMs, neverMs);
    const latest = input.lifetimeMs === undefined ? (input.endsBy ?? neverMs) : neverMs;
    const expiresAt = Math.min(this.#expiryAfter(lifetimeMs), latest);
    mayGive(description, expiresAt);
    const userId = validUserId(input.userId);
    await this.#requireRoom(owner.orgId);
    const { digest, externalId = null } = input;
    await this.#requireNewSecret(digest);
    return this.#newKey(
      owner,
      {
        ...description,
        userId,
        externalId,
        lifetimeMs,
        expiresAt,
        rotatedFrom: null,
        firstKeyId: null,
        isSelfMade: false,
      },
      digest,
    );
  }

  async #requireNewSecret(digest: string | undefined): Promise<void> {
    if (digest !== undefined && (await this.#store.findByDigest(digest))) throw takenSecret();
  }

  /** Returns the change of a key that is valid. */
  #toChange(owner: KeyOwner, key: KeyRecord, changes: KeyChange, mayGive: MayGive): TokenChange {
    mayGive(key);
    this.#requireGood(key, owner);
    const description = describedBy({ ...key, ...changes });
    mayGive(description);
    const { enabled = key.enabled } = changes;
    const userId = changes.userId === undefined ? key.userId : validUserId(changes.userId);
    const expiresAt = Math.min(neverMs, wholeSeconds(changes.expiresAt ?? key.expiresAt));
    if (expiresAt <= this.#clock.now()) throw invalidField('expires_at', 'expires_at must be in the future');
    const changed = { ...description, enabled, userId, expiresAt };
    requireEnd({ ...key, ...changed });
    const token = this.#token(owner, { ...key, ...changed });
    const lifetimeMs = changes.expiresAt === undefined ? key.lifetimeMs : null;
    return { keyId: key.keyId, token, lifetimeMs, ...changed };
  }

  async #judged(organization: KeyOwner) {
    const active = await this.#store.activeKeys(organization.orgId);
    return active.map((key) => ({ ...key, state: this.#stateOf(key, organization) }));
  }

  #stateOf(key: ActiveKey, organization: KeyOwner): TokenState {
    return tokenState(key.token, { ...organization, ...key }, this.#keyring);
  }

  async #found(keyId: string): Promise<KeyRecord> {
    const key = await this.#store.find(keyId);
    if (!key) throw noKey(keyId);
    return key;
  }

  #requireGood(key: KeyRecord, organization: KeyOwner): void {
    const { keyId, status, expiresAt } = key;
    if (status !== 'active' || expiresAt <= this.#clock.now()) {
      throw invalidRequest(`Key ${keyId} is not active; create a new key instead`);
    }
    const state = this.#stateOf(key, organization);
    requireKnown([state]);
    if (!isGood(state)) {
      throw invalidRequest(`The token of key ${keyId} is not valid; create a new key instead`);
    }
  }

  /** Doesn't count ended keys, so that a person who revokes a key has room for another one. */
  async #requireRoom(orgId: string | null, times = 1): Promise<void> {
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
    const step = (orgId: string | null) => this.#store.pruneEnded(orgId, this.#clock.now(), keep);
    return inStepsOfEach(this.#added, step, signal);
  }

  async #changing<R>(
    orgId: string | null,
    plan: (owner: KeyOwner) => Promise<{ change: { add?: KeyRecord; tokens: TokenChange[] }; result: R }>,
  ): Promise<R> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const organization = await this.#store.owner(orgId);
      if (!organization) throw noOwner(orgId);
      const planned = await plan(organization).catch(async (reason) => {
        // It may have read a part of what another change has written.
        if ((await this.#store.owner(orgId))?.revision === organization.revision) throw reason;
        return null;
      });
      if (!planned) continue;
      const { change, result } = planned;
      if (!(await this.#store.change(orgId, organization.revision, change))) continue;
      if (change.add) this.#added.add(orgId);
      return result;
    }
    throw new ServiceError('unavailable', `Organization ${orgId} is being changed by others; try again`);
  }

  /** With a digest, only the client knows the secret. */
  #newKey(owner: KeyOwner, origin: Origin, given?: string) {
    requireEnd({ ...owner, ...origin });
    const secret = given === undefined ? generateSecret(this.#prefix) : '';
    const digest = given ?? digestOf(secret);
    const key = { ...origin, keyId: newId(), digest, enabled: true };
    const record: KeyRecord = {
      ...key,
      orgId: owner.orgId,
      hint: secret && hintOf(secret),
      token: this.#token(owner, key),
      status: 'active',
      createdAt: this.#clock.now(),
      revokedAt: null,
    };
    return { record, secret };
  }

  #tokenChange(organization: KeyOwner, key: ActiveKey): TokenChange {
    return { keyId: key.keyId, token: this.#token(organization, key) };
  }

  #token({ orgId, tier }: KeyOwner, key: Omit<ActiveKey, 'token'>): Uint8Array {
    return issueToken({ ...key, orgId, tier }, this.#keyring, this.#clock.now());
  }

  #expiryAfter(lifetimeMs: number): number {
    return Math.min(neverMs, wholeSeconds(this.#clock.now() + lifetimeMs));
  }
}

const noOwner = (orgId: string | null) => notFound(`No organization ${orgId}`);
const noKey = (keyId: string): ServiceError => notFound(`No key ${keyId}`);
