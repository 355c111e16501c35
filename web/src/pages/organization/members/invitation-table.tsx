import { useMutation } from '@tanstack/react-query';
import { type Invitation, invitationsQuery, withdrawInvitation } from '../../../api/members.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formatDay } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { actions, RowName, Table } from '../../../ui/table.tsx';
import { ProblemToast } from '../../../ui/toast.tsx';

interface Props {
  orgId: string;
  invitations: readonly Invitation[];
}

export function InvitationTable({ orgId, invitations }: Props) {
  const withdraw = useMutation({
    mutationFn: (invitationId: string) => withdrawInvitation(orgId, invitationId),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitationsQuery(orgId).queryKey }),
  });
  if (invitations.length === 0) return <p className="text-muted">There are no open invitations.</p>;
  return (
    <div className="grid gap-4">
      <ProblemToast error={withdraw.error} onClose={withdraw.reset} />
      <Table
        caption="Open invitations"
        columns={['Email', 'Role', 'Expires', actions]}
        rows={invitations.map(({ invitation_id, email, role, expires_at }) => ({
          key: invitation_id,
          cells: [
            <RowName key="email" name={email} />,
            role,
            formatDay(expires_at),
            <Button
              key="actions"
              aria-label={`Withdraw the invitation of ${email}`}
              onClick={() => withdraw.mutate(invitation_id)}
            >
              Withdraw
            </Button>,
          ],
        }))}
      />
    </div>
  );
}
