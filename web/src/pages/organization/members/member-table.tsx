import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { userQuery } from '../../../api/auth.ts';
import type { Member } from '../../../api/members.ts';
import type { Organization, Role } from '../../../api/organizations.ts';
import { formatDay } from '../../../lib/format.ts';
import { mayChangeRole, rolesToGive } from '../../../lib/roles.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { actions, type Row, RowName, Table } from '../../../ui/table.tsx';
import { ChangeRole } from './change-role.tsx';
import { RemoveMember } from './remove-member.tsx';

interface Props {
  organization: Organization;
  members: readonly Member[];
  isSearched: boolean;
  sort: string;
  onSort: ((sort: string) => void) | undefined;
}

export function MemberTable({ organization, members, isSearched, sort, onSort }: Props) {
  const { org_id: orgId } = organization;
  const { data: user } = useQuery(userQuery);
  const [leaving, setLeaving] = useState<Member | null>(null);
  const [changing, setChanging] = useState<{ member: Member; role: Role } | null>(null);
  const isOneself = ({ user_id }: Member): boolean => user_id === user?.user_id;
  const rowOf = (member: Member): Row => {
    const { user_id, name, email, role, joined_at } = member;
    const mayChange = mayChangeRole(organization, role);
    return {
      key: user_id,
      cells: [
        <RowName key="name" name={name} more={email} />,
        mayChange ? (
          <Select
            key="role"
            aria-label={`Role of ${email}`}
            value={role}
            onChange={(event) => setChanging({ member, role: event.target.value as Role })}
          >
            {Object.keys(rolesToGive(organization)).map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </Select>
        ) : (
          role
        ),
        formatDay(joined_at),
        (isOneself(member) || mayChange) && (
          <Button
            key="actions"
            onClick={() => setLeaving(member)}
            aria-label={isOneself(member) ? 'Leave the organization' : `Remove ${email}`}
          >
            {isOneself(member) ? 'Leave' : 'Remove'}
          </Button>
        ),
      ],
    };
  };
  return (
    <div className="grid gap-4">
      {members.length === 0 ? (
        <p className="text-muted">
          {isSearched ? 'No member matches the search.' : 'No members yet. Invite the first one.'}
        </p>
      ) : (
        <Table
          caption="Members"
          columns={[{ name: 'Name', order: 'name' }, 'Role', { name: 'Joined', order: 'created' }, actions]}
          rows={members.map(rowOf)}
          sort={sort}
          onSort={onSort}
        />
      )}
      {changing && (
        <ChangeRole
          orgId={orgId}
          {...changing}
          isOneself={isOneself(changing.member)}
          onClose={() => setChanging(null)}
        />
      )}
      {leaving && (
        <RemoveMember
          organization={organization}
          member={leaving}
          isOneself={isOneself(leaving)}
          onClose={() => setLeaving(null)}
        />
      )}
    </div>
  );
}
