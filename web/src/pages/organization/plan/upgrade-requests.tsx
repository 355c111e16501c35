import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { userQuery } from '../../../api/auth.ts';
import { ofAnyOrganization } from '../../../api/organizations.ts';
import { useSave } from '../../../api/use-save.ts';
import {
  decideUpgrade,
  requestUpgrade,
  type UpgradeRequest,
  upgradesQuery,
  withdrawUpgrade,
} from '../../../api/wishes.ts';
import { formatAgo } from '../../../lib/format.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Badge, type BadgeLook } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { actions, type Row, RowName, row, Table } from '../../../ui/table.tsx';
import { ProblemToast } from '../../../ui/toast.tsx';

/** Asks the administrators for the plan `tier`. A person has one open request; another one takes its place. */
export function RequestUpgrade({ tier }: { tier: string }) {
  const { org_id: orgId } = useOrganization();
  const { data: user } = useQuery(userQuery);
  const { data: requests = [] } = useInfiniteQuery(upgradesQuery(orgId));
  const ask = useSave(() => requestUpgrade(orgId, tier), [ofAnyOrganization]);
  const open = requests.find(({ user_id, status }) => user_id === user?.user_id && status === 'open');
  return (
    <div className="grid gap-2">
      {open?.tier === tier ? (
        <p role="status" className="flex min-h-8 items-center">
          <Badge look="warning">Requested</Badge>
        </p>
      ) : (
        <Button pending={ask.isPending} onClick={() => ask.mutate()}>
          Request an upgrade
        </Button>
      )}
      <Problem error={ask.error} />
    </div>
  );
}

const looks: Readonly<Record<UpgradeRequest['status'], BadgeLook>> = {
  open: 'warning',
  approved: 'success',
  declined: 'danger',
};
const words = { open: 'Sent', approved: 'Approved', declined: 'Declined' } as const;

/** The requests for another plan, with the person, the plan and the decision. */
export function UpgradeRequests() {
  const { org_id: orgId, may } = useOrganization();
  const { data: user } = useQuery(userQuery);
  const { data: requests = [] } = useInfiniteQuery(upgradesQuery(orgId));
  const decide = useSave(
    ({ id, approve }: { id: string; approve: boolean }) => decideUpgrade(orgId, id, approve),
    [ofAnyOrganization],
  );
  const withdraw = useSave((id: string) => withdrawUpgrade(orgId, id), [ofAnyOrganization]);
  if (requests.length === 0) return null;
  const rowOf = ({ upgrade_id: id, user_id, user_name, tier, status, created_at }: UpgradeRequest): Row =>
    row(
      id,
      <RowName name={user_name} />,
      tier,
      <Badge look={looks[status]}>{words[status]}</Badge>,
      formatAgo(created_at),
      status === 'open' && may.includes('organization.set-tier') ? (
        <span className="inline-flex gap-2">
          <Button onClick={() => decide.mutate({ id, approve: false })}>Decline</Button>
          <Button look="primary" onClick={() => decide.mutate({ id, approve: true })}>
            Approve
          </Button>
        </span>
      ) : (
        status === 'open' && user_id === user?.user_id && (
          <Button onClick={() => withdraw.mutate(id)}>Withdraw</Button>
        )
      ),
    );
  return (
    <Card title="Requests for another plan">
      <ProblemToast
        error={decide.error ?? withdraw.error}
        onClose={(decide.error ? decide : withdraw).reset}
      />
      <Table
        caption="Requests for another plan"
        columns={['Who', 'Plan', 'State', 'Sent', actions]}
        rows={requests.map(rowOf)}
      />
    </Card>
  );
}
