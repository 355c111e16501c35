import { type Static, Type } from 'typebox';
import { ServiceError } from '../errors.ts';
import { isoTime } from '../lib/clock.ts';
import { permitted, type Relation, roles } from '../organizations/access.ts';
import type { Organization as OrganizationRecord } from '../organizations/organizations.ts';
import type { Standing } from '../quota/decide.ts';
import { windowKinds } from '../quota/window.ts';
import { Id, Nullable, PageResponse, response, Timestamp } from './common.ts';
import { exampleQuota, Quota, quotaView } from './quota.ts';

const TierName = Type.String({ description: 'The name of a tier. `GET /v1/tiers` lists the tiers.' });

const example = {
  org_id: '01a19671-c1c0-7453-bb19-492ba816cd71',
  name: 'Acme',
  tier: 'free',
  created_at: '2026-11-01T09:30:00.000Z',
  quota: exampleQuota,
};

export const OrganizationResponse = Type.Object(
  { org_id: Id(), name: Type.String(), tier: TierName, created_at: Timestamp, quota: Quota },
  response('Organization', 'The organization and its quota.', example),
);
type Organization = Static<typeof OrganizationResponse>;

export function organizationView(organization: OrganizationRecord, standing: Standing): Organization {
  return {
    org_id: organization.orgId,
    name: organization.name,
    tier: organization.tier,
    created_at: isoTime(organization.createdAt),
    quota: quotaView(standing),
  };
}

export const AccessResponse = Type.Object(
  {
    role: Type.Enum([...roles, 'key', 'administrator'], {
      type: 'string',
      description:
        'The caller’s role in the organization. Administrators of the installation may do everything in every organization.',
    }),
    may: Type.Array(Type.String(), {
      description:
        'The actions that the caller may perform there, such as `keys.create`, so that pages show nothing else.',
    }),
  },
  response('Access', 'The caller’s role in the organization, and the actions that the caller may perform.', {
    role: 'viewer',
    may: ['organization.read', 'keys.read', 'usage.read'],
  }),
);

/** Throws `not_found` for strangers. */
export function accessView(relation: Relation): Static<typeof AccessResponse> {
  if (relation === 'stranger') throw new ServiceError('not_found', 'No such organization');
  return { role: relation, may: permitted(relation) };
}

export const OrganizationListResponse = PageResponse(
  'OrganizationList',
  Type.Object(
    { ...OrganizationResponse.properties, ...AccessResponse.properties },
    { title: 'ListedOrganization' },
  ),
  'A page of the organizations that the caller belongs to. For an administrator: of all organizations.',
  { ...example, role: 'owner', may: ['keys.create'] },
);

const customLimit = {
  limit: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        description:
          'A custom limit, for tiers that allow one, such as `enterprise`. Null: the tier’s own limit.',
      }),
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
  { name: Type.String(), tier: Type.Optional(TierName), ...customLimit },
  { title: 'CreateOrganizationRequest', examples: [{ name: 'Acme', tier: 'pro' }] },
);

export const RenameOrganizationRequest = Type.Object(
  { name: Type.String({ description: '1 to 200 characters.' }) },
  { title: 'RenameOrganizationRequest', examples: [{ name: 'Acme' }] },
);

export const SetTierRequest = Type.Object(
  { tier: TierName, ...customLimit },
  {
    title: 'SetTierRequest',
    examples: [{ tier: 'scale' }, { tier: 'enterprise', limit: 50, window: 'second' }],
  },
);
export type SetTierRequest = Static<typeof SetTierRequest>;
