import type { JsonObject } from '../../../packages/small/src/json.ts';
import type { State } from '../../api/state.ts';
import { withoutSecrets } from '../../lib/harmless.ts';

/** The fields that identify an item of each kind, and those that can be changed. */
const shapes = {
  organization: ['', 'name tier limit window suspended'],
  alerts: ['', 'thresholds limit_thresholds key_expiry projection'],
  limit: ['applies_to unit window', 'amount max_wait_seconds'],
  channel: ['kind address', 'name'],
  member: ['email', 'role'],
} as const;

/** Something that a file describes or the service has. */
export interface Item {
  readonly kind: keyof typeof shapes;
  /** The external id of the organization that it is or belongs to. Null: it is the installation's. */
  readonly owner: string | null;
  readonly identity: JsonObject;
  /** An undefined value stays as it is. */
  readonly values: JsonObject;
  /** All that the file or the API states. */
  readonly source: JsonObject;
}

function itemsFrom(owner: string | null, kind: Item['kind'], sources: readonly JsonObject[] = []): Item[] {
  return sources.map((source) => {
    const [identity, values] = shapes[kind].map((names) =>
      Object.fromEntries(names.split(' ').map((name) => [name, source[name]])),
    );
    return { kind, owner, identity: identity!, values: values!, source };
  });
}

type Tiers = readonly JsonObject[];

/** Returns an organization's custom limit, or null if it is the one of its tier. */
export function limitBeyondTier(tiers: Tiers, { tier, limit = null, window = 'month' }: JsonObject) {
  if (tier === undefined) return {};
  const usual = tiers.find(({ name }) => name === tier)?.limit;
  const isUsual = limit === null || (limit === usual && window === 'month');
  return { limit: isUsual ? null : limit, window: isUsual ? undefined : window };
}

/** Returns the items of a file, or of what the API returned. */
export const itemsOf = ({ channels, organizations = [] }: State, tiers: Tiers = []): Item[] => [
  ...itemsFrom(null, 'channel', channels),
  ...organizations.flatMap((organization) => {
    const { external_id: owner, alerts } = organization;
    return [
      ...itemsFrom(owner, 'organization', [{ ...organization, ...limitBeyondTier(tiers, organization) }]),
      ...itemsFrom(owner, 'alerts', alerts && [alerts]),
      ...itemsFrom(owner, 'limit', organization.limits),
      ...itemsFrom(owner, 'channel', organization.channels),
      ...itemsFrom(owner, 'member', organization.members),
    ];
  }),
];

/** Reports whether a claim of the sign-in provider has made a member, so that no file has them. */
export const isMapped = (member: JsonObject): boolean => member.from_provider === true;

const namesOf = ({ kind, identity }: Item): string[] =>
  [kind, ...Object.values(identity)].filter((name) => name != null).map(String);

/** Returns what is the same for an item in the file and in the service. */
export const keyOf = (item: Item): string => JSON.stringify([item.owner, ...namesOf(item)]);

/** Returns what people call an item of an organization, without secrets. */
export const whatOf = (item: Item): string => namesOf(item).map(withoutSecrets).join(' ');
