import { type Static, Type } from 'typebox';
import { invalidField, notFound } from '../errors.ts';
import { isoTime } from '../lib/clock.ts';
import { excerpt } from '../lib/harmless.ts';
import { may, permitted, type Relation, roles } from '../organizations/access.ts';
import type { Organization as OrganizationRecord } from '../organizations/organization.ts';
import { type OverviewRow, seriesDays } from '../organizations/overview.ts';
import type { Standing } from '../quota/decide.ts';
import { windowKinds } from '../quota/window.ts';
import { lastDays, seriesOf } from '../usage/reports.ts';
import {
  Choice,
  Count,
  ExternalId,
  Flag,
  Id,
  Many,
  Nullable,
  PageResponse,
  response,
  Text,
  Timestamp,
  time,
} from './common.ts';
import { Quota, quotaView } from './quota.ts';
import { viewOf } from './view.ts';

const TierName = Text('The name of a tier. `GET /v1/tiers` lists the tiers.');

export const OrganizationResponse = Type.Object(
  {
    org_id: Id(),
    external_id: Nullable(Text('The operator’s own id of the organization.')),
    name: Type.String(),
    tier: TierName,
    suspended: Nullable(
      Text(
        'The sentence that requests with keys of the organization get with 403. Null: it isn’t suspended.',
      ),
    ),
    created_at: Timestamp,
    quota: Quota,
  },
  response('Organization', 'The organization and its quota.'),
);
type Organization = Static<typeof OrganizationResponse>;

const view = viewOf(OrganizationResponse);

export function organizationView(organization: OrganizationRecord, standing: Standing): Organization {
  return view({ ...organization, quota: quotaView(standing) });
}

export const AccessResponse = Type.Object(
  {
    role: Choice(
      [...roles, 'key', 'administrator'],
      'The caller’s role in the organization. Administrators of the installation may do everything in every ' +
        'organization.',
    ),
    may: Many(
      Type.String(),
      'The actions that the caller may perform there, such as `keys.create`, so that pages show nothing else.',
    ),
  },
  response('Access', 'The caller’s role in the organization, and the actions that the caller may perform.'),
);

const activity = {
  has_requests: Flag('Whether a request was ever counted or cached.'),
  has_own_requests: Flag(
    'Whether the person who asks has sent one, with a key of theirs or with a session. False for keys.',
  ),
  last_request_at: Nullable(time('When the newest request of the log arrived.')),
  open_alerts: Count('Alerts that nobody has acknowledged.'),
  last_alert_at: Nullable(time('When the newest of them was raised.')),
};
export const activityView = viewOf(Type.Object(activity));

export const OrganizationDetailsResponse = Type.Object(
  {
    ...OrganizationResponse.properties,
    ...AccessResponse.properties,
    ...activity,
  },
  response('OrganizationDetails', 'The organization, its quota, and what else an open page has to know.'),
);

/** Throws `not_found` for strangers. */
export function accessView(relation: Relation): Static<typeof AccessResponse> {
  if (relation === 'stranger') throw notFound('No such organization');
  return { role: typeof relation === 'string' ? relation : 'key', may: permitted(relation) };
}

const ListedOrganization = Type.Object(
  {
    ...OrganizationResponse.properties,
    ...AccessResponse.properties,
    owner: Nullable(
      Text('The name of the owner who became a member first. Null: there is none, or a key asks.'),
    ),
    series_28d: Many(
      Type.Integer(),
      'Requests with a result on each of the last 28 days, counted or cached, oldest first.',
    ),
    refused_today: Count('Requests refused with 429 today (UTC).'),
    last_request_at: Nullable(
      time(
        'When the last request arrived. Only its day (UTC) if a person sent it and the log no longer has it. ' +
          'Null: never.',
      ),
    ),
    exhausts_at: Nullable(
      time(
        'When the quota will be used up at the rate of the last seven days. Null: it lasts until its reset.',
      ),
    ),
  },
  { title: 'ListedOrganization' },
);

export function listedOrganizationView(
  { standing, owner, days, lastRequestAt, exhaustsAtMs, ...organization }: Omit<OverviewRow, 'role'>,
  relation: Relation,
  nowMs: number,
  fields: Fields,
): Static<typeof ListedOrganization> {
  const lastMs = Math.max(lastRequestAt ?? 0, (organization.lastDay ?? 0) * 86_400_000);
  const view = {
    ...organizationView(organization, standing),
    ...accessView(relation),
    owner: may(relation, 'members.read') ? owner : null,
    series_28d: seriesOf(days, lastDays(nowMs, seriesDays)),
    refused_today: organization.refusedToday,
    last_request_at: isoTime(lastMs === 0 ? null : lastMs),
    exhausts_at: isoTime(exhaustsAtMs),
  };
  return Object.fromEntries(fields.map((name) => [name, view[name as keyof typeof view]])) as typeof view;
}

const { quota: _, ...ofRow } = OrganizationResponse.properties;
type Fields = readonly string[];

/** Returns the names that a request joins by commas, or all names. Throws `invalid_request`. */
export function organizationFields(given = Object.keys(ListedOrganization.properties).join()): Fields {
  const unknown = given.split(',').find((name) => !Object.hasOwn(ListedOrganization.properties, name));
  if (unknown === undefined) return given.split(',');
  throw invalidField('fields', `fields must be names such as org_id,name, not "${excerpt(unknown)}"`);
}

/** Reports whether some of the fields are not in the organization's own row. */
export const needFigures = (fields: Fields): boolean => fields.some((name) => !Object.hasOwn(ofRow, name));

export const OrganizationListResponse = PageResponse(
  'OrganizationList',
  ListedOrganization,
  'A page of the organizations that the caller belongs to. For an administrator: of all organizations.',
);

const customLimit = {
  limit: Type.Optional(
    Nullable(
      Count('A custom limit, for tiers that allow one, such as `enterprise`. Null: the tier’s own limit.'),
    ),
  ),
  window: Type.Optional(
    Type.Enum([...windowKinds], {
      type: 'string',
      description: 'The calendar window of the custom limit.',
      default: 'month',
    }),
  ),
};

export const CreateOrganizationRequest = Type.Object(
  {
    name: Type.String(),
    external_id: Type.Optional(ExternalId),
    tier: Type.Optional(TierName),
    ...customLimit,
  },
  { title: 'NewOrganization', examples: [{ name: 'Acme', tier: 'pro' }] },
);

const Suspended = Type.Optional(
  Nullable(
    Text('A sentence for the organization’s people and programs, up to 200 characters. Null resumes it.'),
  ),
);

export const ChangeOrganizationRequest = Type.Object(
  {
    name: Type.Optional(Text('1 to 200 characters.')),
    external_id: Type.Optional(Nullable(ExternalId)),
    suspended: Suspended,
  },
  {
    title: 'OrganizationChanges',
    examples: [{ name: 'Acme' }, { suspended: 'Invoice 2026-11 is overdue.' }],
  },
);

export const PutOrganizationRequest = Type.Object(
  { name: Type.String(), tier: Type.Optional(TierName), suspended: Suspended, ...customLimit },
  { title: 'OrganizationByExternalId', examples: [{ name: 'Acme', tier: 'pro' }] },
);

export const SetTierRequest = Type.Object(
  { tier: TierName, ...customLimit },
  {
    title: 'TierChange',
    examples: [{ tier: 'scale' }, { tier: 'enterprise', limit: 50, window: 'second' }],
  },
);
export type SetTierRequest = Static<typeof SetTierRequest>;

export const DeletionQuery = Type.Object({
  people: Type.Optional(
    Choice(
      ['keep', 'delete'],
      '`delete`: also deletes the accounts of members who belong to no other organization and administer nothing. ' +
        '`GET /v1/organizations/{org_id}/members?filter=only_here` lists them before.',
      'keep',
    ),
  ),
});

export const DeletedResponse = Type.Object(
  {
    org_id: Id(),
    name: Type.String(),
    external_id: Nullable(ExternalId),
    people: Type.Array(Type.Object({ user_id: Id(), email: Type.String() })),
  },
  response('DeletedOrganization', 'What is gone, with `people=delete`.'),
);
