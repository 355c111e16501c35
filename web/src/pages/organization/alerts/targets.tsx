import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AlertTarget,
  alertTargetsQuery,
  allDeliveriesOf,
  deleteAlertTarget,
  mailConfirmation,
  testAlertTarget,
} from '../../../api/alert-targets.ts';
import { useSave } from '../../../api/use-save.ts';
import { capitalized, formatDay } from '../../../lib/format.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { actions, type Row, RowName, row, Table } from '../../../ui/table.tsx';
import { ProblemToast, Toast } from '../../../ui/toast.tsx';
import { CreateTarget } from './create-target.tsx';

/** The notification channels, which the API calls targets. */
export function Targets() {
  const { org_id: orgId, may } = useOrganization();
  const mayRead = may.includes('targets.read');
  const query = useQuery({ ...alertTargetsQuery(orgId), enabled: mayRead });
  const [creating, setCreating] = useState(false);
  // A dialog that is open may show a secret.
  if (!mayRead && !creating) return null;
  return (
    <Card
      title="Notification channels"
      actions={
        may.includes('targets.change') && <Button onClick={() => setCreating(true)}>Add a channel</Button>
      }
    >
      <Loaded query={query} placeholder={<SkeletonRows rows={2} />}>
        {(targets) => <TargetTable targets={targets} />}
      </Loaded>
      {creating && <CreateTarget onClose={() => setCreating(false)} />}
    </Card>
  );
}

function TargetTable({ targets }: { targets: readonly AlertTarget[] }) {
  const { org_id: orgId, may } = useOrganization();
  const mayChange = may.includes('targets.change');
  const [leaving, setLeaving] = useState<AlertTarget | null>(null);
  const send = useSave(
    ({ target_id, confirmed_at }: AlertTarget) =>
      (confirmed_at === null ? mailConfirmation : testAlertTarget)(orgId, target_id),
    [allDeliveriesOf(orgId)],
  );
  const remove = useSave(
    async () => leaving && (await deleteAlertTarget(orgId, leaving.target_id)),
    [alertTargetsQuery(orgId).queryKey, allDeliveriesOf(orgId)],
    () => setLeaving(null),
  );
  if (targets.length === 0) {
    return (
      <Empty title="Alerts are shown only here.">
        {mayChange
          ? 'Add an email address or a webhook to be notified elsewhere.'
          : 'Owners and admins can add an email address or a webhook.'}
      </Empty>
    );
  }
  const rowOf = (target: AlertTarget): Row =>
    row(
      target.target_id,
      <RowName
        name={target.name ?? target.address}
        more={
          target.confirmed_at === null ? (
            <Badge look="warning">Waiting for confirmation</Badge>
          ) : (
            target.name !== null && target.address
          )
        }
      />,
      capitalized(target.kind),
      formatDay(target.created_at),
      mayChange && (
        <span className="flex gap-2 max-sm:flex-wrap">
          <Button
            aria-label={
              target.confirmed_at === null
                ? `Send the link to ${target.address} again`
                : `Send a test to ${target.address}`
            }
            pending={send.isPending && send.variables === target}
            onClick={() => send.mutate(target)}
          >
            {target.confirmed_at === null ? 'Send the link again' : 'Send a test'}
          </Button>
          <Button aria-label={`Delete ${target.address}`} onClick={() => setLeaving(target)}>
            Delete
          </Button>
        </span>
      ),
    );
  return (
    <div className="grid gap-4">
      <ProblemToast error={send.error} onClose={send.reset} />
      {send.isSuccess && (
        <Toast look="success" onClose={send.reset}>
          {send.variables.confirmed_at === null
            ? `The link is on its way to ${send.variables.address}.`
            : `A test is on its way to ${send.variables.address}. The result appears under Deliveries.`}
        </Toast>
      )}
      <Table caption="Targets" columns={['Channel', 'Kind', 'Created', actions]} rows={targets.map(rowOf)} />
      {leaving && (
        <Confirm
          title={`Send no more alerts to ${leaving.address}?`}
          description="Messages that wait to be sent there are dropped, and its deliveries are deleted."
          action="Delete"
          change={remove}
          onClose={() => setLeaving(null)}
        />
      )}
    </div>
  );
}
