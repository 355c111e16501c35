import { type Static, Type } from 'typebox';
import { limitUnits } from '../quota/limit.ts';
import type { Tier as TierRecord } from '../quota/tiers.ts';
import { Choice, Count, Flag, List, Nullable, Text, Whole } from './common.ts';
import { viewOf } from './view.ts';

const Tier = Type.Object(
  {
    name: Type.String(),
    limit: Nullable(Count('Units per month. Null: unlimited.')),
    unit: Choice(limitUnits, 'What the limit counts.'),
    price: Nullable(Text('The price that the operator of the service has set.')),
    custom_limits: Flag('Whether an administrator can set another limit for an organization of this tier.'),
    weight: Whole(
      'How much computing time an organization of this tier gets while others wait too, relative to their weights.',
      { minimum: 1 },
    ),
    is_default: Flag('Whether new organizations get this tier.'),
  },
  { title: 'Tier' },
);
type Tier = Static<typeof Tier>;

export const TierListResponse = List('TierList', Tier, 'The tiers, in the order of the configuration.');

const view = viewOf(Tier);

export function tierView(tier: TierRecord, isDefault: boolean): Tier {
  return view({ ...tier, limit: tier.monthlyLimit, customLimits: tier.takesCustomLimit, isDefault });
}
