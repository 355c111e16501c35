import { useState } from 'react';
import {
  type Organization,
  ofAnyOrganization,
  type QuotaWindow,
  setTier,
  type Tier,
} from '../../../api/organizations.ts';
import { useSave } from '../../../api/use-save.ts';
import { capitalized, formatCount, formatShare } from '../../../lib/format.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { units, windowNames } from '../limits/limit-text.ts';

type Quota = Organization['quota'];
type Limit = Pick<Quota, 'limit' | 'unit' | 'window'>;

/** Switches to a plan, for people who may. */
export function PlanActions({ tier }: { tier: Tier }) {
  const { org_id: orgId, quota, may, tier: currentTier } = useOrganization();
  const isCurrent = tier.name === currentTier;
  const [asked, setAsked] = useState<Limit | null>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    setAsked(null);
  };
  const change = useSave(
    ({ limit, window }: Limit) =>
      setTier(orgId, { tier: tier.name, ...(tier.custom_limits && limit !== null && { limit, window }) }),
    [ofAnyOrganization],
    close,
  );
  const choose = (next: Limit) => {
    if (isLower(next, quota)) setAsked(next);
    else change.mutate(next);
  };
  if (!may.includes('organization.set-tier')) return null;
  const ofTier: Limit = { limit: tier.limit, window: 'month', unit: tier.unit };
  const current = isCurrent ? quota : ofTier;
  const action = isCurrent ? 'Change the limit' : `Switch to ${capitalized(tier.name)}`;
  return (
    <>
      {(tier.custom_limits || !isCurrent) && (
        <Button
          pending={change.isPending}
          onClick={() => (tier.custom_limits ? setOpen(true) : choose(ofTier))}
        >
          {action}
        </Button>
      )}
      {!isOpen && !asked && <Problem error={change.error} />}
      {isOpen && !asked && (
        <FormDialog
          title={action}
          description="Takes effect immediately. What was counted in this window stays counted."
          names={['limit', 'window']}
          action="Update plan"
          change={{
            ...change,
            mutate: ({ limit, window }) =>
              choose(
                limit === ''
                  ? ofTier
                  : { limit: Number(limit), window: window as QuotaWindow, unit: tier.unit },
              ),
          }}
          onClose={close}
        >
          <div className="grid grid-cols-2 gap-4">
            <TextField
              label={units[tier.unit]}
              name="limit"
              type="number"
              min={0}
              placeholder="Unlimited"
              defaultValue={current.limit ?? ''}
            />
            <SelectField
              label="Window"
              name="window"
              options={windowNames('Per')}
              defaultValue={current.window}
            />
          </div>
        </FormDialog>
      )}
      {asked && (
        <Confirm
          {...describe(quota, asked, tier.name)}
          action="Update plan"
          change={{ ...change, mutate: () => change.mutate(asked) }}
          onClose={close}
        />
      )}
    </>
  );
}

/** Reports whether a change of the limit may cause refusals of requests that are served now. */
function isLower(next: Limit, { limit, unit, window }: Limit): boolean {
  if (next.limit === null) return false;
  return limit === null || next.window !== window || next.unit !== unit || next.limit < limit;
}

/** Returns what a lower limit does to the requests of the organization. */
function describe(quota: Quota, { limit, unit, window }: Limit, name: string) {
  const lower = `The limit becomes ${formatCount(limit ?? 0)} ${unit} per ${window}, effective immediately.`;
  const isSame = window === quota.window && unit === quota.unit;
  const isOver = limit !== null && isSame && quota.used >= limit;
  const consequence = isOver
    ? `${formatCount(quota.used)} ${unit} are already used${limit > 0 ? `, which is ${formatShare(quota.used / limit)} of it` : ''}. Every API key gets 429 for requests that are not in the cache, until the ${window} ends.`
    : isSame
      ? 'Current usage carries over.'
      : window === 'month' && unit === 'requests'
        ? 'All requests of this month count toward it, so the organization may be over quota immediately.'
        : 'What is used counts toward it from now on.';
  return {
    title: isOver ? `Put this organization over quota with the plan ${name}?` : `Change the plan to ${name}?`,
    description: `${lower} ${consequence}`,
  };
}
