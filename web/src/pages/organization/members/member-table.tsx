import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Member, membersQuery, removeMember, setRole } from '../../../api/members.ts';
import type { Role } from '../../../api/organizations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formatDay } from '../../../lib/format.ts';
import { roleNames } from '../../../lib/roles.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Select } from '../../../ui/select.tsx';
import { actions, RowName, Table } from '../../../ui/table.tsx';

interface Props {
  orgId: string;
  members: readonly Member[];
  mayManage: boolean;
}

export function MemberTable({ orgId, members, mayManage }: Props) {
  const [leaving, setLeaving] = useState<Member | null>(null);
  const refresh = () => queryClient.invalidateQueries(membersQuery(orgId));
  const change = useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) => setRole(orgId, userId, role),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: ({ user_id }: Member) => removeMember(orgId, user_id),
    onSuccess: () => {
      setLeaving(null);
      return refresh();
    },
  });
  return (
    <div className="grid gap-4">
      <Problem error={change.error} />
      <Table
        caption="Members"
        columns={['Name', 'Role', 'Since', ...(mayManage ? [actions] : [])]}
        rows={members.map((member) => ({
          key: member.user_id,
          cells: [
            <RowName key="name" name={member.name} more={member.email} />,
            mayManage ? (
              <RoleSelect
                key="role"
                member={member}
                onChange={(role) => change.mutate({ userId: member.user_id, role })}
              />
            ) : (
              member.role
            ),
            formatDay(member.joined_at),
            mayManage && (
              <Button key="actions" onClick={() => setLeaving(member)} aria-label={`Remove ${member.email}`}>
                Remove
              </Button>
            ),
          ],
        }))}
      />
      {leaving && (
        <Confirm
          title={`Remove ${leaving.email}?`}
          description="They lose sight of this organization at once. API keys that they have created go on working until somebody revokes them."
          action="Remove"
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

function RoleSelect({ member, onChange }: { member: Member; onChange: (role: Role) => void }) {
  return (
    <Select
      aria-label={`Role of ${member.email}`}
      value={member.role}
      onChange={(event) => onChange(event.target.value as Role)}
    >
      {Object.keys(roleNames).map((role) => (
        <option key={role}>{role}</option>
      ))}
    </Select>
  );
}
