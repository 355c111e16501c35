import { Type } from 'typebox';
import { tierNames } from '../../quota/tiers.ts';
import { windowKinds } from '../../quota/window.ts';
import { Nullable, Timestamp } from './common.ts';

const Quota = Type.Object(
  {
    limit: Nullable(Type.Integer({ description: 'Requests a window; null: unlimited.' })),
    used: Type.Integer({ minimum: 0, description: 'Requests counted in this window.' }),
    remaining: Nullable(Type.Integer({ minimum: 0, description: 'null: unlimited.' })),
    window: Type.Enum([...windowKinds], { type: 'string', description: 'A calendar window, in UTC.' }),
    resets_at: Timestamp,
  },
  { title: 'Quota' },
);

export const OrganizationResponse = Type.Object(
  {
    org_id: Type.String(),
    name: Type.String(),
    tier: Type.Enum([...tierNames], { type: 'string' }),
    created_at: Timestamp,
    quota: Quota,
  },
  {
    title: 'Organization',
    'x-response-description': 'The organization, and where it stands against its limit.',
    examples: [
      {
        org_id: 'org_5f3a2c9d8e7b6a1f0c4d2e98',
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
      },
    ],
  },
);

const KeyResponse = Type.Object(
  {
    key_id: Type.String(),
    org_id: Type.String(),
    user_id: Type.String({ description: 'Whom the key belongs to.' }),
    name: Type.String({ description: 'What it is for.' }),
    status: Type.Enum(['active', 'revoked'], { type: 'string', description: '`revoked` is final.' }),
    hint: Type.String({ description: '`sk_…` and the last four characters.' }),
    created_at: Timestamp,
    last_used_at: Nullable(Timestamp),
    expires_at: Timestamp,
    revoked_at: Nullable(Timestamp),
  },
  { title: 'Key', description: 'An API key, without its secret.' },
);

export const KeyListResponse = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(KeyResponse),
  },
  {
    title: 'KeyList',
    'x-response-description': 'All keys of the organization, newest first, the revoked ones as well.',
    examples: [
      {
        object: 'list',
        data: [
          {
            key_id: 'key_1b2c3d4e5f60718293a4b5c6',
            org_id: 'org_5f3a2c9d8e7b6a1f0c4d2e98',
            user_id: 'ada',
            name: 'laptop',
            status: 'active',
            hint: 'sk_…9f3c',
            created_at: '2026-11-01T09:31:00.000Z',
            last_used_at: null,
            expires_at: '2027-11-01T09:31:00.000Z',
            revoked_at: null,
          },
        ],
      },
    ],
  },
);

const Figures = {
  counted: Type.Integer({ minimum: 0, description: 'Requests that the quota was charged for.' }),
  cached: Type.Integer({ minimum: 0, description: 'Requests answered without computing, not counted.' }),
  failed: Type.Integer({ minimum: 0, description: 'Requests that failed or were refused, not counted.' }),
  texts: Type.Integer({ minimum: 0, description: 'Texts in the answered requests.' }),
  tokens: Type.Integer({ minimum: 0, description: 'Tokens in the answered requests.' }),
};

export const UsageResponse = Type.Object(
  {
    org_id: Type.String(),
    ...Quota.properties,
    month: Type.String({ description: 'The calendar month that the figures are of, YYYY-MM, UTC.' }),
    totals: Type.Object(Figures, { title: 'UsageTotals', description: 'Of all keys, in this month.' }),
    key: Type.Object(
      { key_id: Type.String(), ...Figures },
      { title: 'KeyUsage', description: 'This key’s own share of the month.' },
    ),
  },
  {
    title: 'Usage',
    'x-response-description': 'The organization’s standing, and what this month’s requests were.',
    examples: [
      {
        org_id: 'org_5f3a2c9d8e7b6a1f0c4d2e98',
        limit: 10_000,
        used: 123,
        remaining: 9_877,
        window: 'month',
        resets_at: '2026-12-01T00:00:00.000Z',
        month: '2026-11',
        totals: { counted: 123, cached: 456, failed: 7, texts: 1_890, tokens: 24_570 },
        key: {
          key_id: 'key_1b2c3d4e5f60718293a4b5c6',
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
