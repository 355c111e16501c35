import { isDeepStrictEqual } from 'node:util';
import { type Item, isMapped, keyOf, whatOf } from './item.ts';

const signs = { create: '+', change: '~', delete: '-' } as const;

export interface Change {
  readonly action: keyof typeof signs;
  /** The item after the change, or before its deletion. */
  readonly item: Item;
  /** The item that the service has. Undefined: it has none. */
  readonly held?: Item;
}

/**
 * Returns what makes `current` as `wanted`, and the items that stay although the file doesn't have them: those that
 * `isDeleted` doesn't choose.
 */
export function changesBetween(
  wanted: readonly Item[],
  current: readonly Item[],
  isDeleted: (item: Item) => boolean,
) {
  const held = new Map(current.map((item) => [keyOf(item), item]));
  const named = new Set(wanted.map(keyOf));
  const others = current.filter(
    (item) => !named.has(keyOf(item)) && item.kind !== 'alerts' && !isMapped(item.source),
  );
  const deletions = others.filter(isDeleted).map((item): Change => ({ action: 'delete', item, held: item }));
  const changes = wanted.flatMap((item): Change[] => {
    const before = held.get(keyOf(item));
    if (!before) return [{ action: 'create', item }];
    return changedIn(item, before).length > 0 ? [{ action: 'change', item, held: before }] : [];
  });
  // Deletions are last: until the others are made, what is there protects.
  return { changes: [...changes, ...deletions], left: others.filter((item) => !isDeleted(item)) };
}

/** Returns the names of the values that become others. */
const changedIn = ({ values }: Item, held?: Item): string[] =>
  Object.keys(values).filter(
    (name) => values[name] !== undefined && !isDeepStrictEqual(values[name], held?.values[name] ?? null),
  );

/** Returns a change as JSON. `values` has pairs: before and after. */
export function changeView({ action, item, held }: Change) {
  const pairOf = (name: string) => [name, [held?.values[name] ?? null, item.values[name]]] as const;
  const values = Object.fromEntries(changedIn(item, held).map(pairOf));
  return { action, organization: item.owner, what: whatOf(item), values };
}

/** Returns a change as one line. */
export function lineOf(change: Change): string {
  const { action, organization, what, values } = changeView(change);
  const words = Object.entries(values).map(([name, pair]) => {
    const [before, after] = pair.map((value) => JSON.stringify(value));
    return `, ${name} ${action === 'create' ? '' : `${before} → `}${after}`;
  });
  return `${signs[action]} ${organization ?? 'installation'}: ${what}${words.join('')}`;
}

const paths = {
  alerts: 'alerts/settings',
  limit: 'limits',
  channel: 'alerts/targets',
  member: 'invitations',
};

/** Returns the request that makes a change. `base` is the path of the organization that the item belongs to. */
export function requestOf({ action, item, held }: Change, base: string) {
  const { kind, owner, identity, values: body, source } = item;
  if (kind === 'organization')
    return { method: 'PUT', path: `/organizations/external/${encodeURIComponent(owner!)}`, body } as const;
  const path = `${base}/${paths[kind]}`;
  if (kind === 'alerts') return { method: 'PUT', path, body } as const;
  if (action === 'delete')
    return { method: 'DELETE', path: `${path}/${source.limit_id ?? source.target_id}` } as const;
  if (held?.source.user_id)
    return { method: 'PATCH', path: `${base}/members/${held.source.user_id}`, body } as const;
  return { method: 'POST', path, body: { ...identity, ...body, secret: source.secret } } as const;
}
