import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AlertTarget,
  alertTargetsQuery,
  allDeliveriesOf,
  deleteAlertTarget,
  mailConfirmation,
  testAlertTarget,
} from '../../../api/alerts.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formatDay } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { actions, type Row, RowName, Table } from '../../../ui/table.tsx';
import { ProblemToast, Toast } from '../../../ui/toast.tsx';
import { kindNames } from './target-kinds.ts';

interface Props {
  orgId: string;
  targets: readonly AlertTarget[];
  mayChange: boolean;
}

export function TargetTable({ orgId, targets, mayChange }: Props) {
  const [leaving, setLeaving] = useState<AlertTarget | null>(null);
  const test = useMutation({
    mutationFn: ({ target_id }: AlertTarget) => testAlertTarget(orgId, target_id),
    onSuccess: () => queryClient.invalidateQueries(allDeliveriesOf(orgId)),
  });
  const ask = useMutation({
    mutationFn: ({ target_id }: AlertTarget) => mailConfirmation(orgId, target_id),
  });
  const remove = useMutation({
    mutationFn: ({ target_id }: AlertTarget) => deleteAlertTarget(orgId, target_id),
    onSuccess: async () => {
      setLeaving(null);
      await Promise.all(
        [alertTargetsQuery(orgId), allDeliveriesOf(orgId)].map(({ queryKey }) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
  if (targets.length === 0) {
    return (
      <Empty title="Alerts are shown only here.">
        {mayChange
          ? 'Add an email address or a webhook to be notified elsewhere.'
          : 'Owners and admins can add an email address or a webhook.'}
      </Empty>
    );
  }
  const rowOf = (target: AlertTarget): Row => ({
    key: target.target_id,
    cells: [
      <RowName
        key="address"
        name={target.address}
        more={target.confirmed_at === null && <Badge look="warning">Waiting for confirmation</Badge>}
      />,
      kindNames[target.kind],
      formatDay(target.created_at),
      mayChange && (
        <span key="actions" className="flex flex-wrap gap-2">
          {target.confirmed_at === null ? (
            <Button
              aria-label={`Send the link to ${target.address} again`}
              pending={ask.isPending && ask.variables === target}
              onClick={() => ask.mutate(target)}
            >
              Send the link again
            </Button>
          ) : (
            <Button
              aria-label={`Send a test to ${target.address}`}
              pending={test.isPending && test.variables === target}
              onClick={() => test.mutate(target)}
            >
              Send a test
            </Button>
          )}
          <Button aria-label={`Delete ${target.address}`} onClick={() => setLeaving(target)}>
            Delete
          </Button>
        </span>
      ),
    ],
  });
  return (
    <div className="grid gap-4">
      <ProblemToast error={test.error} onClose={test.reset} />
      <ProblemToast error={ask.error} onClose={ask.reset} />
      {ask.isSuccess && (
        <Toast look="success" onClose={ask.reset}>
          The link is on its way to {ask.variables.address}.
        </Toast>
      )}
      {test.isSuccess && (
        <Toast look="success" onClose={test.reset}>
          A test is on its way to {test.variables.address}. The result appears under Deliveries.
        </Toast>
      )}
      <Table
        caption="Targets"
        columns={['Address', 'Kind', 'Created', ...(mayChange ? [actions] : [])]}
        rows={targets.map(rowOf)}
      />
      {leaving && (
        <Confirm
          title={`Send no more alerts to ${leaving.address}?`}
          description="Messages that wait to be sent there are dropped, and its deliveries are deleted."
          action="Delete"
          open
          pending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(leaving)}
          onCancel={() => setLeaving(null)}
        />
      )}
    </div>
  );
}
