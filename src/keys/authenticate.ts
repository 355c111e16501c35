import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { invalidApiKey, ServiceError, suspended, unavailable } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { recentEntries } from '../lib/recent.ts';
import type { Limited } from '../quota/ask.ts';
import { type Claims, verifyToken } from './cwt.ts';
import { type KeyRecord, limitedOf } from './key.ts';
import { canBeSecret, digestOf, equalInConstantTime, maxSecretLength } from './key-secret.ts';
import type { Keyring } from './keyring.ts';
import { type HeldRights, heldRights } from './rights.ts';
import { binds } from './token-state.ts';

/** What a request's key is, as its verified token states. */
export interface Identified extends HeldRights, Limited {
  readonly keyId: string;
  /** Null: a key of the installation. */
  readonly orgId: string | null;
  readonly tier: string;
  /** The secret that the organization's cache keys are derived from. */
  readonly cacheSecret: string;
  /** The model of requests that name none. Undefined or null: the service's. */
  readonly defaultModel?: string | null;
}

/** The caller whose organization is counted. */
export type Caller = Identified & { readonly orgId: string };

export const isOfOrganization = (found: Identified): found is Caller => found.orgId !== null;

/** A key with its organization's tier, cache secret and suspension as the database has them. */
export type KeyWithTier = KeyRecord & {
  readonly tier: string;
  readonly cacheSecret: string;
  readonly suspended: string | null;
};

/** Why a key is refused. */
type Refused = 'revoked' | 'paused' | 'expired' | 'suspended' | 'network';

/** The error of a request with a known key that is refused. Its message says why only if the organization is suspended. */
export class EndedKey extends ServiceError {
  readonly keyId: string;
  readonly orgId: string | null;

  constructor(
    { keyId, orgId }: Pick<KeyRecord, 'keyId' | 'orgId'>,
    reason: Refused,
    { code, message }: ServiceError = invalidApiKey(),
  ) {
    super(code, message, { reason });
    this.keyId = keyId;
    this.orgId = orgId;
  }
}

/** The sender of a request. Behind a proxy, its address takes time to find out, so nothing reads it without need. */
type Sender = { readonly ip: string };

/** Reports changes of keys and organizations, made by this process or another. */
export interface ChangeWatch {
  /**
   * Reports whether remembered records may be trusted; call it before each use. When it returns true, every listener
   * has been notified of all changes so far.
   */
  current(): boolean;
  /** `orgId` undefined: any organization may have changed. Empty: the installation's keys have. */
  onChange(listener: (orgId: string | undefined) => void): void;
}

interface Parts {
  readonly keys: { findByDigest(digest: string): Promise<KeyWithTier | undefined> };
  readonly keyring: Keyring;
  readonly watch: ChangeWatch;
  readonly clock: Clock;
}

/** What is remembered of a key: some 900 bytes. */
interface Known {
  readonly caller: Identified;
  readonly expiresAtMs: number;
  /** The operator's sentence about the organization if it is suspended. */
  readonly suspended: string | null;
  /** The number of changes reported before the key was read. */
  readonly asOf: number;
  // Whether given bytes verify under a given key never changes, and takes 80 µs to find out. A key id is a digest of
  // the public key, so a result holds for as long as the keyring has that key.
  readonly tokenDigest: string;
  readonly kid: Uint8Array;
  readonly claims: Claims;
}

const maxKnown = 100_000;
const maxUnknown = 10_000;
const maxChangedOrganizations = 10_000;
const unknownForMs = 30_000;

/**
 * Finds the caller of a bearer token, from memory if nothing has changed. See docs/architecture.md, "Authentication".
 */
export class Authenticator {
  readonly #parts: Parts;
  readonly #known = recentEntries<Known>(maxKnown);
  readonly #unknownUntil = new LRUCache<string, number>({ max: maxUnknown });
  // A client's connection sends the same header each time, and hashing it is most of the cost of finding the key.
  readonly #lastOn = new WeakMap<object, { authorization: string; digest: string }>();

  #changes = 0;
  /** Number of the last change that may have affected any organization. */
  #allChanged = 0;
  /** Number of the last change to each organization. Records read before it are outdated. */
  readonly #lastChange = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#parts.watch.onChange((orgId) => this.#forget(orgId));
  }

  /**
   * Authenticates the value of an `Authorization` header. `connection` is the connection that sent it, if it may send
   * more requests. `inTurn` runs the database lookup. A key with networks is refused if there is no `sender`. Throws
   * `invalid_api_key`, always with the same message.
   */
  authenticate(
    authorization: string | undefined,
    connection: object = {},
    inTurn: <R>(find: () => Promise<R>) => Promise<R> = (find) => find(),
    sender: Sender = { ip: '' },
  ): Identified | Promise<Identified> {
    const digest = this.#digestOf(authorization, connection);
    if (this.#parts.watch.current()) {
      const known = this.#known.get(digest);
      if (known && this.#isUpToDate(known)) return this.#admit(known, sender);
      if ((this.#unknownUntil.get(digest) ?? 0) > this.#parts.clock.now()) throw invalidApiKey();
    } else {
      this.#forget(undefined);
    }
    return inTurn(() => this.#lookUp(digest, sender));
  }

  #digestOf(authorization: string | undefined, connection: object): string {
    if (authorization === undefined) throw invalidApiKey();
    const last = this.#lastOn.get(connection);
    // A proxy may share its connections among clients, and one client may guess another's header.
    if (last && equalInConstantTime(last.authorization, authorization)) return last.digest;
    const secret = bearerOf(authorization);
    if (secret === undefined || !canBeSecret(secret)) throw invalidApiKey();
    const digest = digestOf(secret);
    this.#lastOn.set(connection, { authorization, digest });
    return digest;
  }

  async #lookUp(digest: string, sender: Sender): Promise<Identified> {
    const asked = this.#changes;
    const key = await this.#parts.keys.findByDigest(digest).catch((reason) => {
      throw unavailable(reason);
    });
    if (!key) {
      // A result read before a change must not be remembered after it.
      if (asked === this.#changes) this.#unknownUntil.set(digest, this.#parts.clock.now() + unknownForMs);
      throw invalidApiKey();
    }
    // A revoked key's token is destroyed.
    if (key.status !== 'active') throw new EndedKey(key, 'revoked');
    if (!key.enabled) throw new EndedKey(key, 'paused');
    const verified = this.#verify(key.token, this.#known.peek(digest));
    if (!verified || !binds(verified.claims, key)) throw invalidApiKey();
    const { keyId, orgId, tier, cacheSecret, defaultModel } = key;
    const known: Known = {
      ...verified,
      caller: { keyId, orgId, tier, cacheSecret, defaultModel, ...limitedOf(key), ...heldRights(key) },
      expiresAtMs: verified.claims.expiresAtSeconds * 1_000,
      suspended: key.suspended,
      asOf: asked,
    };
    this.#known.set(digest, known);
    return this.#admit(known, sender);
  }

  #isUpToDate({ caller, asOf }: Known): boolean {
    return asOf >= this.#allChanged && asOf >= (this.#lastChange.get(caller.orgId ?? '') ?? 0);
  }

  /**
   * Checks on every request what no signature can prove: expiry, and where the request comes from. A change of the status
   * outdates what is known.
   */
  #admit({ caller, expiresAtMs, suspended: sentence }: Known, sender: Sender): Identified {
    if (caller.networks !== null && !caller.networks.has(sender.ip)) throw new EndedKey(caller, 'network');
    if (expiresAtMs <= this.#parts.clock.now()) throw new EndedKey(caller, 'expired');
    // Last, because only the bearers of keys that are valid here may learn it.
    if (sentence !== null) throw new EndedKey(caller, 'suspended', suspended(sentence));
    return caller;
  }

  #verify(
    token: Uint8Array,
    before: Known | undefined,
  ): Pick<Known, 'tokenDigest' | 'kid' | 'claims'> | undefined {
    const tokenDigest = hash('sha256', token, 'hex');
    if (before?.tokenDigest === tokenDigest && this.#parts.keyring.find(before.kid)) return before;
    let kid = new Uint8Array();
    const claims = verifyToken(token, (named) => {
      kid = new Uint8Array(named);
      return this.#parts.keyring.find(named);
    });
    return claims && claims !== 'newer' ? { tokenDigest, kid, claims } : undefined;
  }

  #forget(orgId: string | undefined): void {
    this.#changes += 1;
    // An unknown key may belong to any organization, including this one.
    this.#unknownUntil.clear();
    if (orgId === undefined || this.#lastChange.size >= maxChangedOrganizations) {
      this.#allChanged = this.#changes;
      this.#lastChange.clear();
    } else {
      this.#lastChange.set(orgId, this.#changes);
    }
    this.#parts.keyring.refresh();
  }
}

/** Returns the token (RFC 6750, section 2.1). The scheme's name is case-insensitive (RFC 9110, section 11.1). */
function bearerOf(authorization: string): string | undefined {
  if (authorization.length > 'Bearer '.length + maxSecretLength) return undefined;
  if (authorization.startsWith('Bearer ')) return authorization.slice(7);
  const space = authorization.indexOf(' ');
  return authorization.slice(0, space).toLowerCase() === 'bearer'
    ? authorization.slice(space + 1)
    : undefined;
}
