import { useQuery } from '@tanstack/react-query';
import { type Tier, tiersQuery } from '../../../api/organizations.ts';
import { lastDays, usageQuery } from '../../../api/usage.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { capitalized, formatCount, formatShare } from '../../../lib/format.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonBlock } from '../../../ui/skeleton.tsx';
import { Contact } from '../../contact.tsx';
import { Limits } from '../limits/limits.tsx';
import { PlanActions } from './plan-actions.tsx';

/** The plans, and how far each would carry the organization at its present rate. */
export default function Plan() {
  const { org_id: orgId, may } = useOrganization();
  const tiers = useQuery(tiersQuery);
  const usage = useQuery(usageQuery(orgId, lastDays, undefined, { maxKeys: 0 }));
  const perDay = usage.data?.projection?.per_day ?? null;
  return (
    <OrganizationPage title="Plan">
      <Loaded query={tiers} placeholder={<SkeletonBlock height={18} />}>
        {(found) => (
          <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4">
            {found.map((tier) => (
              <PlanCard key={tier.name} tier={tier} perDay={perDay} />
            ))}
          </ul>
        )}
      </Loaded>
      {/* Not before the plans, which would move them. */}
      {!tiers.isPending && (
        <>
          {!may.includes('organization.set-tier') && (
            <p className="text-muted">
              To switch to another plan, write to <Contact />.
            </p>
          )}
          <Limits />
        </>
      )}
    </OrganizationPage>
  );
}

interface CardProps {
  tier: Tier;
  /** The requests counted per day lately. Null: not known. */
  perDay: number | null;
}

function PlanCard({ tier, perDay }: CardProps) {
  const organization = useOrganization();
  const isCurrent = tier.name === organization.tier;
  // An organization can have a limit of its own.
  const { limit, window, unit } = isCurrent ? organization.quota : { ...tier, window: 'month' as const };
  return (
    <li
      aria-current={isCurrent}
      className="grid content-between gap-4 rounded-lg border border-line p-4 aria-[current=true]:border-2 aria-[current=true]:border-accent aria-[current=true]:p-[15px]"
    >
      <div className="grid gap-3">
        <div className="flex items-baseline justify-between gap-2">
          <h2 className="font-semibold text-lg">{capitalized(tier.name)}</h2>
          {isCurrent && <span className="font-medium text-accent">Current</span>}
        </div>
        <p className="font-semibold text-3xl tabular-nums">
          {capitalized(tier.price ?? '–')}
          {tier.price?.startsWith('$') && <span className="font-normal text-base text-muted"> a month</span>}
        </p>
        <div className="text-muted tabular-nums">
          <p>
            {limit === null ? `Unlimited ${unit}` : `${formatCount(limit)} ${unit} per ${window}`}
            {tier.custom_limits && isCurrent && tier.limit !== limit && ', custom'}
          </p>
          <p>{costOf(tier) ?? (tier.custom_limits ? 'A limit of your own' : ' ')}</p>
        </div>
        <p className="min-h-10 font-medium">{outlookOf(limit, window, unit, perDay)}</p>
      </div>
      <PlanActions tier={tier} />
    </li>
  );
}

/** Returns the price of 1,000 units, if the price is an amount of dollars. */
function costOf({ price, limit, unit }: Tier): string | null {
  const amount = /^\$(\d[\d,]*(?:\.\d+)?)/.exec(price ?? '')?.[1];
  if (!Number(amount?.replaceAll(',', '')) || !amount || !limit) return null;
  const dollars = (Number(amount.replaceAll(',', '')) / limit) * 1_000;
  return `$${dollars.toFixed(dollars < 1 ? 3 : 2)} per 1,000 ${unit}`;
}

/** Returns what a limit would mean at the present rate. */
function outlookOf(limit: number | null, window: string, unit: string, perDay: number | null): string {
  if (perDay === null || window !== 'month' || unit !== 'requests') return '';
  if (limit === null) return 'At your rate: no limit to reach';
  const now = new Date();
  const days = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate();
  const share = (perDay * days) / Math.max(1, limit);
  if (share <= 1) return `At your rate: ${formatShare(share)} used each month`;
  // Not a date: this is about any month, and Usage forecasts the current one from what is already used.
  return `At your rate it lasts ${formatCount(Math.floor(limit / perDay))} of ${days} days`;
}
