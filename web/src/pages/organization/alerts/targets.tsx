import { useMutation } from '@tanstack/react-query';
import { deliveriesQuery, removeTarget, type Target, targetsQuery, testTarget } from '../../../api/alerts.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { AddTarget } from './add-target.tsx';

interface Props {
  orgId: string;
  targets: readonly Target[];
  mayChange: boolean;
}

/** The e-mail addresses and webhooks that are told of each alert. */
export function Targets({ orgId, targets, mayChange }: Props) {
  const test = useMutation({
    mutationFn: (targetId: string) => testTarget(orgId, targetId),
    onSettled: () => queryClient.invalidateQueries(deliveriesQuery(orgId)),
  });
  const remove = useMutation({
    mutationFn: (targetId: string) => removeTarget(orgId, targetId),
    onSettled: () => queryClient.invalidateQueries(targetsQuery(orgId)),
  });
  return (
    <div className="grid gap-4">
      {targets.length === 0 && (
        <p className="text-muted">Alerts are shown here only. Nobody is written to.</p>
      )}
      <ul className="divide-y divide-line">
        {targets.map(({ target_id, kind, address }) => (
          <li key={target_id} className="flex flex-wrap items-center justify-between gap-2 py-2">
            <span className="flex min-w-0 items-center gap-2">
              <Badge>{kind === 'email' ? 'e-mail' : 'webhook'}</Badge>
              <span className="min-w-0 break-all">{address}</span>
            </span>
            {mayChange && (
              <span className="flex gap-2">
                <Button aria-label={`Send a test to ${address}`} onClick={() => test.mutate(target_id)}>
                  Send a test
                </Button>
                <Button aria-label={`Remove ${address}`} onClick={() => remove.mutate(target_id)}>
                  Remove
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      <Problem error={test.error ?? remove.error} />
      {mayChange && <AddTarget orgId={orgId} />}
    </div>
  );
}
