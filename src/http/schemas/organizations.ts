import { Type } from 'typebox';
import { tierNames } from '../../quota/tiers.ts';
import { windowKinds } from '../../quota/window.ts';
import { Nullable, Timestamp } from './common.ts';

const Quota = Type.Object({
  limit: Nullable(Type.Integer({ description: 'null: unlimited' })),
  used: Type.Integer(),
  remaining: Nullable(Type.Integer()),
  window: Type.Enum([...windowKinds]),
  resets_at: Timestamp,
});

export const OrganizationResponse = Type.Object({
  org_id: Type.String(),
  name: Type.String(),
  tier: Type.Enum([...tierNames]),
  created_at: Timestamp,
  quota: Quota,
});

const KeyResponse = Type.Object({
  key_id: Type.String(),
  org_id: Type.String(),
  user_id: Type.String(),
  name: Type.String(),
  status: Type.Enum(['active', 'revoked']),
  hint: Type.String({ description: '`sk_…` and the last four characters' }),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
  expires_at: Timestamp,
  revoked_at: Nullable(Timestamp),
});

export const KeyListResponse = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(KeyResponse),
});

const Totals = {
  counted: Type.Integer({ description: 'Requests that the quota was charged for' }),
  cached: Type.Integer({ description: 'Requests answered without computing, not counted' }),
  failed: Type.Integer({ description: 'Requests that failed or were refused, not counted' }),
  texts: Type.Integer(),
  tokens: Type.Integer(),
};

export const UsageResponse = Type.Object({
  org_id: Type.String(),
  ...Quota.properties,
  month: Type.String({ description: 'YYYY-MM, UTC' }),
  totals: Type.Object(Totals),
  key: Type.Object(
    { key_id: Type.String(), ...Totals },
    { description: 'This key’s own share of the month' },
  ),
});
