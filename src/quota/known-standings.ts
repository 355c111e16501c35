import { LRUCache } from 'lru-cache';
import { type Limited, limitedId, scopesOf } from './ask.ts';
import type { Standing } from './decide.ts';
import { type LimitStanding, ownScope, scopeIdOf } from './limit.ts';

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
  readonly standings: Standings;
  readonly version: number;
}

/** Maximum number of remembered keys, of some 800 bytes each. */
const maxEntries = 100_000;
/** Maximum number of keys per organization. */
const maxKeys = 100;
/** Instead of a key: the organization itself, and every key of an organization without limits. */
const [own, every] = ['own', 'every'];

/** Remembers the last known standings of organizations and their keys, for the headers of responses. */
export class KnownStandings {
  /** By the id under which keys share limits. */
  readonly #known = new LRUCache<string, ReadonlyMap<string, Known>>({
    maxSize: maxEntries,
    sizeCalculation: ({ size }) => size,
  });

  /** Returns the standings of a key, or of the organization itself if `limited` is null. */
  get(orgId: string, limited: Limited | null): Known | undefined {
    const known = this.#known.get(orgId);
    return known?.get(limited ? limitedId(limited) : own) ?? known?.get(every);
  }

  /** Remembers what a flush returned for some keys. Forgets the others', in whose limits it may have counted too. */
  replace(orgId: string, stored: StoredStandings, version: number, limited: readonly Limited[]): void {
    this.#known.set(orgId, new Map(entriesOf(stored, version, limited)));
  }

  /** Remembers what a read returned for a key, or for the organization itself. */
  add(orgId: string, stored: StoredStandings, version: number, limited: Limited | null): void {
    const before = this.#known.get(orgId);
    // Without limits there is one entry for every key, which the earlier ones of single keys would hide.
    const kept = before && stored.limits !== null && before.size < maxKeys ? before : [];
    const added = entriesOf(stored, version, limited === null ? [] : [limited]);
    this.#known.set(orgId, new Map([...kept, ...added]));
  }
}

function entriesOf(
  { quota, limits }: StoredStandings,
  version: number,
  limited: readonly Limited[],
): [string, Known][] {
  if (limits === null) return [[every, { standings: { quota, limits: [] }, version }]];
  const entryOf = (id: string, scopes: readonly string[]): [string, Known] => {
    const applying = limits.filter((limit) => scopes.includes(scopeIdOf(limit)));
    return [id, { standings: { quota, limits: applying }, version }];
  };
  return [
    entryOf(own, [ownScope]),
    ...limited.slice(0, maxKeys).map((one) => entryOf(limitedId(one), scopesOf(one))),
  ];
}
