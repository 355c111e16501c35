import { type Static, Type } from 'typebox';
import { countedUnits } from '../quota/limit.ts';
import type { Tier as TierRecord } from '../quota/tiers.ts';
import { Choice, Count, Flag, List, Nullable, Text, Whole } from './common.ts';
import { Limit, secondsOf, windowOf } from './limit.ts';
import { viewOf } from './view.ts';

const { applies_to, unit, window, amount, max_wait_seconds } = Limit.properties;
const LimitOfTier = Type.Object({ applies_to, unit, window, amount, max_wait_seconds });

const Tier = Type.Object(
  {
    name: Type.String(),
    limit: Nullable(Count('Units per month. Null: unlimited.')),
    unit: Choice(countedUnits, 'What the limit counts.'),
    price: Nullable(Text('The price that the operator of the service has set.')),
    custom_limits: Flag('Whether an administrator can set another limit for an organization of this tier.'),
    weight: Whole(
      'How much computing time an organization of this tier gets while others wait too, relative to their weights.',
      { minimum: 1 },
    ),
    limits: Type.Array(LimitOfTier, {
      description: 'The limits of its organizations beside the quota. `new_keys`: all their keys have it.',
    }),
    thresholds: Type.Array(Type.Integer(), {
      description:
        'Percentages of the quota at which alerts are raised, beside those that an organization chooses.',
    }),
    is_default: Flag('Whether new organizations get this tier.'),
  },
  { title: 'Tier' },
);
type Tier = Static<typeof Tier>;

export const TierListResponse = List('TierList', Tier, 'The tiers, in the order of the configuration.');

const view = viewOf(Tier);
const viewLimit = viewOf(LimitOfTier);

export function tierView(tier: TierRecord, isDefault: boolean): Tier {
  const limits = tier.limits.map((one) =>
    viewLimit({
      ...one,
      window: windowOf(one.window),
      maxWaitSeconds: secondsOf(one.maxWaitMs),
    }),
  );
  const { monthlyLimit: limit, takesCustomLimit: customLimits } = tier;
  return view({ ...tier, limit, customLimits, isDefault, limits });
}
