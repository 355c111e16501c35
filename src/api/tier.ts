import { type Static, Type } from 'typebox';
import type { Tier as TierRecord } from '../quota/tiers.ts';
import { List, Nullable } from './common.ts';

const Tier = Type.Object(
  {
    name: Type.String(),
    limit: Nullable(Type.Integer({ minimum: 0, description: 'Requests per month. Null: unlimited.' })),
    price: Nullable(Type.String({ description: 'The price that the operator of the service has set.' })),
    custom_limits: Type.Boolean({
      description: 'Whether an administrator can set another limit for an organization of this tier.',
    }),
    is_default: Type.Boolean({ description: 'Whether new organizations get this tier.' }),
  },
  { title: 'Tier' },
);
type Tier = Static<typeof Tier>;

export const TierListResponse = List(
  'TierList',
  Tier,
  'The tiers, in the order of the configuration.',
  { name: 'free', limit: 10_000, price: '$0', custom_limits: false, is_default: true },
  { name: 'enterprise', limit: null, price: 'custom', custom_limits: true, is_default: false },
);

export function tierView(tier: TierRecord, isDefault: boolean): Tier {
  return {
    name: tier.name,
    limit: tier.monthlyRequests,
    price: tier.price,
    custom_limits: tier.takesCustomLimit,
    is_default: isDefault,
  };
}
