import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { userQuery } from '../../../api/auth.ts';
import {
  type Invitation,
  invitationsQuery,
  type KeysTo,
  type Member,
  memberQuery,
  removeMember,
  setRole,
  withdrawInvitation,
} from '../../../api/members.ts';
import { keyOf, outdateOrganizations, type Role } from '../../../api/organizations.ts';
import { useSave } from '../../../api/use-save.ts';
import { capitalized, formatAgo, formatCountdown, formatDay } from '../../../lib/format.ts';
import { mayChangeRole, roleAbilities, rolesToGive } from '../../../lib/roles.ts';
import { serviceTime } from '../../../lib/service-time.ts';
import { useOpened } from '../../../lib/use-address.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Opened } from '../../../ui/opened.tsx';
import { Select } from '../../../ui/select.tsx';
import { actions, type Row, RowName, row, Table } from '../../../ui/table.tsx';
import { ProblemToast } from '../../../ui/toast.tsx';
import { FullestLimit, fullest } from '../limits/fullest-limit.tsx';
import { Limits } from '../limits/limits.tsx';
import { KeysOfLeaver } from './keys-of-leaver.tsx';

interface Props {
  members: readonly Member[];
  invitations: readonly Invitation[];
  isSearched: boolean;
  sort: string;
  onSort: (sort: string) => void;
  onResend: (invitation: Invitation) => void;
}

const columns = [
  { name: 'Name', order: 'name' },
  'Role',
  fullest,
  { name: 'Joined', order: 'created' },
  { name: 'Last seen', isExtra: true },
  actions,
];

/** The members, and below them the people who are invited. */
export function MemberTable({ members, invitations, isSearched, sort, onSort, onResend }: Props) {
  const organization = useOrganization();
  const { org_id: orgId } = organization;
  const { data: user } = useQuery(userQuery);
  const [asked, setAsked] = useState<{ member: Member; role: Role | null } | null>(null);
  const withdraw = useSave(
    (invitationId: string) => withdrawInvitation(orgId, invitationId),
    [invitationsQuery(orgId).queryKey],
  );
  const [limitedId, open, close] = useOpened();
  const listed = members.find(({ user_id }) => user_id === limitedId);
  const other = useQuery({
    ...memberQuery(orgId, limitedId ?? ''),
    enabled: limitedId !== undefined && !listed,
  });
  const maySetLimits = organization.may.includes('limits.change-keys');
  const isOneself = ({ user_id }: Member): boolean => user_id === user?.user_id;
  const rowOf = (member: Member): Row => {
    const { user_id, name, email, role, joined_at, last_seen_at, from_provider, fullest_limit } = member;
    const mayChange = mayChangeRole(organization, role);
    const roles = Object.keys(rolesToGive(organization));
    return row(
      user_id,
      <RowName name={name} more={email} />,
      mayChange ? (
        <Select
          aria-label={`Role of ${email}`}
          options={Object.fromEntries(roles.map((each) => [each, capitalized(each)]))}
          value={role}
          onChange={(next) => setAsked({ member, role: next as Role })}
        />
      ) : (
        capitalized(role)
      ),
      fullest_limit && <FullestLimit limit={fullest_limit} />,
      from_provider ? `${formatDay(joined_at)}, from the provider` : formatDay(joined_at),
      last_seen_at ? formatAgo(last_seen_at) : '–',
      <span className="inline-flex">
        {(isOneself(member) || maySetLimits) && (
          <Button look="quiet" onClick={() => open(user_id)} aria-label={`Limits of ${email}`}>
            Limits
          </Button>
        )}
        {(isOneself(member) || mayChange) && (
          <Button
            look="quiet"
            onClick={() => setAsked({ member, role: null })}
            aria-label={isOneself(member) ? 'Leave the organization' : `Remove ${email}`}
          >
            {isOneself(member) ? 'Leave' : 'Remove'}
          </Button>
        )}
      </span>,
    );
  };
  const invitedRow = (invitation: Invitation): Row => {
    const { invitation_id, email, role, expires_at } = invitation;
    const left = formatCountdown(Date.parse(expires_at), serviceTime()).split(' ').slice(0, 2).join(' ');
    return row(
      invitation_id,
      <RowName name={email} />,
      capitalized(role),
      null,
      <Badge look="warning">{left === 'now' ? 'Invitation expired' : `Invited, expires in ${left}`}</Badge>,
      '–',
      <span className="inline-flex">
        <Button
          look="quiet"
          aria-label={`Resend the invitation of ${email}`}
          onClick={() => onResend(invitation)}
        >
          Resend
        </Button>
        <Button
          look="quiet"
          aria-label={`Withdraw the invitation of ${email}`}
          onClick={() => withdraw.mutate(invitation_id)}
        >
          Withdraw
        </Button>
      </span>,
    );
  };
  const rows = [...members.map(rowOf), ...invitations.map(invitedRow)];
  return (
    <>
      <ProblemToast error={withdraw.error} onClose={withdraw.reset} />
      {rows.length === 0 ? (
        <p className="text-muted">
          {isSearched ? 'No member matches the search.' : 'No members yet. Invite the first one.'}
        </p>
      ) : (
        <Table caption="Members" columns={columns} rows={rows} sort={sort} onSort={onSort} />
      )}
      <Opened id={limitedId} what="member" row={listed ?? other.data} query={other} onClose={close}>
        {({ user_id, name }) => (
          <Dialog look="side" title={name} onClose={close}>
            <Limits
              of={{ user_id }}
              name={`${name}: all keys that they have created, and their own requests`}
              description="They apply to all keys that this member has created, to keys that replace those, and to the member’s own requests in the dashboard."
            />
          </Dialog>
        )}
      </Opened>
      {asked && (
        <ChangeMember {...asked} isOneself={isOneself(asked.member)} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

interface ChangeProps {
  member: Member;
  /** Null: removes the member, or leaves. */
  role: Role | null;
  isOneself: boolean;
  onClose: () => void;
}

/** Asks for confirmation, because one key press in a closed select is enough to choose another role. */
function ChangeMember({ member, role, isOneself, onClose }: ChangeProps) {
  const { org_id: orgId, name } = useOrganization();
  const { user_id: userId, email, role: current } = member;
  const navigate = useNavigate();
  const [keysTo, setKeysTo] = useState<KeysTo>('keep');
  const isLeaving = role === null && isOneself;
  const change = useSave(
    async () => void (await (role ? setRole(orgId, userId, role) : removeMember(orgId, userId, keysTo))),
    // If users change their own role, their rights change too.
    isLeaving ? [] : [keyOf(orgId)],
    async () => {
      if (!isLeaving) return onClose();
      // First, because the page of the list checks how many there are.
      await outdateOrganizations();
      await navigate({ to: '/organizations' });
    },
  );
  if (role) {
    return (
      <Confirm
        title={isOneself ? `Change your own role to ${role}?` : `Change the role of ${email} to ${role}?`}
        description={
          isOneself
            ? `You change your own role from ${current} to ${role}. ${roleAbilities[role]} You may not be able ` +
              'to undo this yourself.'
            : `The role changes from ${current} to ${role}. ${roleAbilities[role]} It takes effect immediately.`
        }
        action="Change role"
        change={change}
        onClose={onClose}
      />
    );
  }
  return (
    <Confirm
      title={isOneself ? `Leave “${name}”?` : `Remove ${email}?`}
      description={`${isOneself ? 'You' : 'They'}’ll lose access immediately. API keys that ${isOneself ? 'you' : 'they'} created keep working until someone revokes them.`}
      action={isOneself ? 'Leave' : 'Remove'}
      change={change}
      onClose={onClose}
    >
      <KeysOfLeaver of={member} value={keysTo} onChange={setKeysTo} />
    </Confirm>
  );
}
