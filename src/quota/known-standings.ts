import { Lru } from '../lib/lru.ts';
import type { Standing } from './decide.ts';
import type { LimitStanding } from './limit.ts';

/** An organization's quota, and the limits that apply to one of its keys. */
export interface Standings {
  readonly quota: Standing;
  readonly limits: readonly LimitStanding[];
}

/** What a store knows: `limits` is null if neither the organization nor any of its keys has limits. */
export interface StoredStandings {
  readonly quota: Standing;
  readonly limits: readonly LimitStanding[] | null;
}

interface Known {
  readonly version: number;
  /** The quota and the limits of the organization itself. */
  readonly own: Standings;
  /** The standings of keys, by the id under which they share limits. Null: no key has limits. */
  readonly ofKeys: ReadonlyMap<string, Standings> | null;
}

/** An estimate for the standings of one key. */
const standingsBytes = 200;
const maxBytes = 10_000 * standingsBytes;
/** Maximum number of keys per organization. Each flush creates their standings again. */
const maxKeys = 100;

/** Remembers the last known standings of organizations and their keys. */
export class KnownStandings {
  readonly #known = new Lru<Known>(maxBytes, ({ ofKeys }) => (1 + (ofKeys?.size ?? 0)) * standingsBytes);

  /** Returns the standings of a key, or of the organization itself if `limitsKeyId` is null. */
  get(orgId: string, limitsKeyId: string | null): { standings: Standings; version: number } | undefined {
    const known = this.#known.get(orgId);
    if (!known) return undefined;
    const { own, ofKeys, version } = known;
    const standings = limitsKeyId === null || ofKeys === null ? own : ofKeys.get(limitsKeyId);
    return standings && { standings, version };
  }

  /** Returns the object that `set` replaces, so that a caller can find out whether it has been replaced meanwhile. */
  mark(orgId: string): unknown {
    return this.#known.get(orgId);
  }

  /**
   * Remembers the organization's standing, and all limits that apply to the keys in `limitsKeyIds`. Forgets those of
   * `outdatedKeyIds`, whose counts have changed.
   */
  set(
    orgId: string,
    { quota, limits }: StoredStandings,
    {
      version,
      limitsKeyIds,
      outdatedKeyIds = [],
    }: { version: number; limitsKeyIds: readonly string[]; outdatedKeyIds?: readonly string[] },
  ): Standings {
    if (limits === null) {
      const own: Standings = { quota, limits: [] };
      this.#known.set(orgId, { version, own, ofKeys: null });
      return own;
    }
    const own = { quota, limits: limits.filter(({ keyId }) => keyId === null) };
    const before = this.#known.get(orgId);
    const ofKeys = new Map<string, Standings>();
    if (before?.ofKeys && before.version === version && before.ofKeys.size < maxKeys) {
      for (const [id, standings] of before.ofKeys) {
        const ofKey = standings.limits.filter(({ keyId }) => keyId !== null);
        ofKeys.set(id, { quota, limits: [...own.limits, ...ofKey] });
      }
    }
    for (const id of outdatedKeyIds) ofKeys.delete(id);
    for (const id of limitsKeyIds.slice(0, maxKeys)) {
      ofKeys.set(id, { quota, limits: limits.filter(({ keyId }) => keyId === null || keyId === id) });
    }
    this.#known.set(orgId, { version, own, ofKeys });
    const [only] = limitsKeyIds;
    return (only !== undefined && ofKeys.get(only)) || own;
  }
}
