import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Organization, type QuotaWindow, setTier, type Tier } from '../../../api/organizations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formText } from '../../../lib/form-text.ts';
import { formatCount } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { units } from '../limits/limit-text.ts';
import { ChangeTier, isLower, type Limit } from './change-tier.tsx';

const windows: Readonly<Record<QuotaWindow, string>> = {
  second: 'a second',
  minute: 'a minute',
  hour: 'an hour',
  day: 'a day',
  month: 'a month',
};

interface Props {
  organization: Organization;
  tiers: readonly Tier[];
  mayChange: boolean;
}

/** Returns, for example, `Pro: 100,000 requests a month, $29`. */
function describe({ name, limit, unit, price, custom_limits: isCustom }: Tier): string {
  const terms = limit === null ? 'unlimited' : `${formatCount(limit)} ${unit} a month`;
  const all = [isCustom ? `${terms}, or a custom limit` : terms, ...(price ? [price] : [])];
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${all.join(', ')}`;
}

export function TierForm({ organization, tiers, mayChange }: Props) {
  const { org_id: orgId, quota } = organization;
  const [name, chooseName] = useState(organization.tier);
  const tier = tiers.find((candidate) => candidate.name === name);
  const current = tiers.find((candidate) => candidate.name === organization.tier);
  const [asked, setAsked] = useState<Limit | null>(null);
  const change = useMutation({
    mutationFn: ({ limit, window }: Limit) =>
      setTier(orgId, { tier: name, ...(tier?.custom_limits && limit !== null && { limit, window }) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['organizations'] }),
  });
  if (!mayChange) {
    return (
      <p>
        {current ? describe(current) : organization.tier}.{' '}
        <span className="text-muted">Administrators can change it.</span>
      </p>
    );
  }
  return (
    <form
      className="grid max-w-md gap-4"
      onSubmit={(event) => {
        const typed = formText(event, 'limit', 'window');
        const hasOwn = tier?.custom_limits && typed.limit !== '';
        const unit = tier?.unit ?? quota.unit;
        const next: Limit = hasOwn
          ? { limit: Number(typed.limit), window: typed.window as QuotaWindow, unit }
          : { limit: tier?.limit ?? null, window: 'month', unit };
        if (isLower(next, quota)) setAsked(next);
        else change.mutate(next);
      }}
    >
      <SelectField
        label="Tier"
        name="tier"
        options={Object.fromEntries(tiers.map((each) => [each.name, describe(each)]))}
        value={name}
        onChange={(event) => chooseName(event.target.value)}
        hint={
          (tier?.unit ?? quota.unit) === quota.unit
            ? 'Takes effect immediately. Current usage carries over.'
            : `Takes effect immediately. Counts ${tier?.unit} from now on, not ${quota.unit}.`
        }
      />
      {tier?.custom_limits && (
        <div className="grid grid-cols-2 gap-4">
          <TextField
            label="Limit"
            name="limit"
            type="number"
            min={0}
            placeholder="Unlimited"
            defaultValue={current?.custom_limits ? (quota.limit ?? '') : ''}
          />
          <SelectField label={units[tier.unit]} name="window" options={windows} defaultValue={quota.window} />
        </div>
      )}
      {asked && (
        <ChangeTier
          quota={quota}
          next={asked}
          name={name}
          onConfirm={() => {
            setAsked(null);
            change.mutate(asked);
          }}
          onCancel={() => setAsked(null)}
        />
      )}
      <Problem error={change.error} />
      {change.isSuccess && (
        <Notice look="success" role="status">
          Tier updated.
        </Notice>
      )}
      <Button type="submit" className="justify-self-start" pending={change.isPending}>
        Update tier
      </Button>
    </form>
  );
}
