import { Type } from 'typebox';
import { roles } from '../../accounts/roles.ts';
import { windowKinds } from '../../quota/window.ts';
import { Id, Nullable, Timestamp } from './common.ts';

export const Quota = Type.Object(
  {
    limit: Nullable(Type.Integer({ description: 'Requests a window; null: unlimited.' })),
    used: Type.Integer({ minimum: 0, description: 'Requests counted in this window.' }),
    remaining: Nullable(Type.Integer({ minimum: 0, description: 'null: unlimited.' })),
    window: Type.Enum([...windowKinds], { type: 'string', description: 'A calendar window, in UTC.' }),
    resets_at: Timestamp,
  },
  { title: 'Quota' },
);

const TierName = Type.String({ description: 'The name of a tier: `GET /v1/tiers` lists them.' });

const Tier = Type.Object(
  {
    name: Type.String(),
    limit: Nullable(Type.Integer({ minimum: 0, description: 'Requests per month; null: unlimited.' })),
    price: Nullable(Type.String({ description: 'As the operator of the service states it.' })),
    custom_limits: Type.Boolean({
      description: 'Whether an administrator can set another limit for an organization of this tier.',
    }),
    is_default: Type.Boolean({ description: 'Whether new organizations get this tier.' }),
  },
  { title: 'Tier' },
);

export const TierListResponse = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(Tier) },
  {
    title: 'TierList',
    'x-response-description': 'The tiers, in the order of the configuration.',
    examples: [
      {
        object: 'list',
        data: [
          { name: 'free', limit: 10_000, price: '$0', custom_limits: false, is_default: true },
          { name: 'enterprise', limit: null, price: 'custom', custom_limits: true, is_default: false },
        ],
      },
    ],
  },
);

const organizationFields = {
  org_id: Id(),
  name: Type.String(),
  tier: TierName,
  created_at: Timestamp,
  quota: Quota,
};

const exampleOrganization = {
  org_id: '01a19671-c1c0-7453-bb19-492ba816cd71',
  name: 'Acme',
  tier: 'free',
  created_at: '2026-11-01T09:30:00.000Z',
  quota: {
    limit: 10_000,
    used: 123,
    remaining: 9_877,
    window: 'month',
    resets_at: '2026-12-01T00:00:00.000Z',
  },
};

export const OrganizationResponse = Type.Object(organizationFields, {
  title: 'Organization',
  'x-response-description': 'The organization, and where it stands against its limit.',
  examples: [exampleOrganization],
});

const standingFields = {
  role: Type.Enum([...roles, 'key', 'administrator'], {
    type: 'string',
    description: 'What the caller is to it. An administrator of the installation may do everything in each.',
  }),
  may: Type.Array(Type.String(), {
    description:
      'What the caller may do there, such as `keys.create`: for pages that offer no more than that.',
  }),
};

export const AccessResponse = Type.Object(standingFields, {
  title: 'Access',
  'x-response-description': 'What the caller is to the organization, and may do there.',
  examples: [{ role: 'viewer', may: ['organization.read', 'keys.read', 'usage.read'] }],
});

export const OrganizationListResponse = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(
      Type.Object({ ...organizationFields, ...standingFields }, { title: 'ListedOrganization' }),
    ),
  },
  {
    title: 'OrganizationList',
    'x-response-description': 'Those that the caller belongs to, oldest first; for an administrator all.',
    examples: [{ object: 'list', data: [{ ...exampleOrganization, role: 'owner', may: ['keys.create'] }] }],
  },
);

const customLimitFields = {
  limit: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        description: 'A custom limit, for tiers that take one, such as `enterprise`; null: the tier’s own.',
      }),
    ),
  ),
  window: Type.Optional(
    Type.Enum([...windowKinds], {
      type: 'string',
      description: 'The calendar window that the custom limit is for.',
      default: 'month',
    }),
  ),
};

export const CreateOrganizationRequest = Type.Object(
  { name: Type.String(), tier: Type.Optional(TierName), ...customLimitFields },
  { title: 'CreateOrganizationRequest', examples: [{ name: 'Acme', tier: 'pro' }] },
);

export const RenameOrganizationRequest = Type.Object(
  { name: Type.String({ description: '1 to 200 characters.' }) },
  { title: 'RenameOrganizationRequest', examples: [{ name: 'Acme' }] },
);

export const SetTierRequest = Type.Object(
  { tier: TierName, ...customLimitFields },
  {
    title: 'SetTierRequest',
    examples: [{ tier: 'scale' }, { tier: 'enterprise', limit: 50, window: 'second' }],
  },
);

export const Figures = {
  counted: Type.Integer({ minimum: 0, description: 'Requests that the quota was charged for.' }),
  cached: Type.Integer({ minimum: 0, description: 'Requests answered without computing, not counted.' }),
  failed: Type.Integer({ minimum: 0, description: 'Requests that failed or were refused, not counted.' }),
  texts: Type.Integer({ minimum: 0, description: 'Texts in the answered requests.' }),
  tokens: Type.Integer({ minimum: 0, description: 'Tokens in the answered requests.' }),
};

export const UsageResponse = Type.Object(
  {
    org_id: Id(),
    ...Quota.properties,
    month: Type.String({
      description:
        'The calendar month that the figures are of, YYYY-MM, UTC: the one that requests are counted in now.',
    }),
    totals: Type.Object(Figures, { title: 'UsageTotals', description: 'Of all keys, in this month.' }),
    key: Type.Object(
      { key_id: Id(), ...Figures },
      { title: 'KeyUsage', description: 'This key’s own share of the month.' },
    ),
  },
  {
    title: 'Usage',
    'x-response-description': 'The organization’s standing, and what this month’s requests were.',
    examples: [
      {
        org_id: '01a19671-c1c0-7453-bb19-492ba816cd71',
        limit: 10_000,
        used: 123,
        remaining: 9_877,
        window: 'month',
        resets_at: '2026-12-01T00:00:00.000Z',
        month: '2026-11',
        totals: { counted: 123, cached: 456, failed: 7, texts: 1_890, tokens: 24_570 },
        key: {
          key_id: '01a19672-ac20-7527-8bb1-6cefd3e9e3ee',
          counted: 100,
          cached: 400,
          failed: 7,
          texts: 1_500,
          tokens: 19_500,
        },
      },
    ],
  },
);
