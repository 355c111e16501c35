import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Organization, setTier, type Tier } from '../../../api/organizations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { ChangeTier, isLower, type Limit } from './change-tier.tsx';
import { CustomLimit } from './custom-limit.tsx';
import { RequestUpgrade } from './upgrade-requests.tsx';

interface Props {
  organization: Organization;
  tier: Tier;
}

/** Switches to a plan or, for people who may not, asks for it. */
export function PlanActions({ organization, tier }: Props) {
  const { org_id: orgId, quota, may } = organization;
  const isCurrent = tier.name === organization.tier;
  const [asked, setAsked] = useState<Limit | null>(null);
  const [isOpen, setOpen] = useState(false);
  const name = tier.name.charAt(0).toUpperCase() + tier.name.slice(1);
  const change = useMutation({
    mutationFn: ({ limit, window }: Limit) =>
      setTier(orgId, { tier: tier.name, ...(tier.custom_limits && limit !== null && { limit, window }) }),
    onSuccess: () => {
      setOpen(false);
      return queryClient.invalidateQueries({ queryKey: ['organizations'] });
    },
  });
  const choose = (next: Limit) => {
    if (isLower(next, quota)) setAsked(next);
    else change.mutate(next);
  };
  if (!may.includes('organization.set-tier')) {
    return isCurrent ? null : <RequestUpgrade organization={organization} tier={tier.name} />;
  }
  const ofTier: Limit = { limit: tier.limit, window: 'month', unit: tier.unit };
  const action = isCurrent ? 'Change the limit' : `Switch to ${name}`;
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
      <Problem error={change.error} />
      {isOpen && !asked && (
        <CustomLimit
          title={action}
          tier={tier}
          current={isCurrent ? quota : ofTier}
          onChoose={choose}
          onClose={() => setOpen(false)}
        />
      )}
      {asked && (
        <ChangeTier
          quota={quota}
          next={asked}
          name={tier.name}
          onConfirm={() => {
            setAsked(null);
            change.mutate(asked);
          }}
          onCancel={() => setAsked(null)}
        />
      )}
    </>
  );
}
