import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { alertTargetsQuery } from '../../../api/alerts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { CreateTarget } from './create-target.tsx';
import { TargetTable } from './target-table.tsx';

interface Props {
  orgId: string;
  mayChange: boolean;
}

/** The notification channels, which the API calls targets. */
export function Targets({ orgId, mayChange }: Props) {
  const query = useQuery(alertTargetsQuery(orgId));
  const [creating, setCreating] = useState(false);
  return (
    <Card
      title="Notification channels"
      actions={mayChange && <Button onClick={() => setCreating(true)}>Add a channel</Button>}
    >
      <Loaded query={query} placeholder={<SkeletonRows rows={2} />}>
        {(targets) => <TargetTable orgId={orgId} targets={targets} mayChange={mayChange} />}
      </Loaded>
      {creating && <CreateTarget orgId={orgId} onClose={() => setCreating(false)} />}
    </Card>
  );
}
