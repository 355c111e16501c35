import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Organization, type QuotaWindow, setTier, type Tier } from '../../../api/organizations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formText } from '../../../lib/form-text.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Problem } from '../../../ui/problem.tsx';

const tiers: Readonly<Record<Tier, string>> = {
  free: 'Free: 10,000 requests a month, $0',
  pro: 'Pro: 100,000 requests a month, $29',
  scale: 'Scale: 1,000,000 requests a month, $199',
  enterprise: 'Enterprise: unlimited, or a limit of its own',
};

const windows: Readonly<Record<QuotaWindow, string>> = {
  second: 'a second',
  minute: 'a minute',
  hour: 'an hour',
  day: 'a day',
  month: 'a month',
};

interface Props {
  organization: Organization;
  mayChange: boolean;
}

export function TierForm({ organization, mayChange }: Props) {
  const { org_id: orgId, quota } = organization;
  const [tier, chooseTier] = useState(organization.tier);
  const change = useMutation({
    mutationFn: ({ limit, window }: { limit: string; window: string }) =>
      setTier(orgId, {
        tier,
        ...(tier === 'enterprise' && limit && { limit: Number(limit), window: window as QuotaWindow }),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['organizations'] }),
  });
  if (!mayChange) {
    return (
      <p>
        {tiers[organization.tier]}. <span className="text-muted">Administrators can change it.</span>
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
        options={tiers}
        value={tier}
        onChange={(event) => chooseTier(event.target.value as Tier)}
        hint="Holds from the next request on. What was used stays used."
      />
      {tier === 'enterprise' && (
        <div className="grid grid-cols-2 gap-4">
          <TextField
            label="Limit"
            name="limit"
            type="number"
            min={0}
            placeholder="Unlimited"
            defaultValue={organization.tier === 'enterprise' ? (quota.limit ?? '') : ''}
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
