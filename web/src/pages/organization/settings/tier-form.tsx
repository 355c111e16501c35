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

/** `Pro: 100,000 requests a month, $29`. */
function describe({ name, limit, price, custom_limits: isCustom }: Tier): string {
  const requests = limit === null ? 'unlimited' : `${formatCount(limit)} requests a month`;
  const terms = [isCustom ? `${requests}, or a limit of its own` : requests, ...(price ? [price] : [])];
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${terms.join(', ')}`;
}

export function TierForm({ organization, tiers, mayChange }: Props) {
  const { org_id: orgId, quota } = organization;
  const [name, chooseName] = useState(organization.tier);
  const tier = tiers.find((candidate) => candidate.name === name);
  const current = tiers.find((candidate) => candidate.name === organization.tier);
  const change = useMutation({
    mutationFn: ({ limit, window }: { limit: string; window: string }) =>
      setTier(orgId, {
        tier: name,
        ...(tier?.custom_limits && limit && { limit: Number(limit), window: window as QuotaWindow }),
      }),
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
      onSubmit={(event) => change.mutate(formText(event, 'limit', 'window'))}
    >
      <SelectField
        label="Tier"
        name="tier"
        options={Object.fromEntries(tiers.map((each) => [each.name, describe(each)]))}
        value={name}
        onChange={(event) => chooseName(event.target.value)}
        hint="Holds from the next request on. What was used stays used."
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
          <SelectField label="Requests" name="window" options={windows} defaultValue={quota.window} />
        </div>
      )}
      <Problem error={change.error} />
      {change.isSuccess && (
        <Notice look="success" role="status">
          The tier is changed.
        </Notice>
      )}
      <Button type="submit" className="justify-self-start" pending={change.isPending}>
        Change the tier
      </Button>
    </form>
  );
}
