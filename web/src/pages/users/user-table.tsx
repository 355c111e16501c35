import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { userQuery } from '../../api/auth.ts';
import { useSave } from '../../api/use-save.ts';
import { allUsers, createResetLink, type UserRecord } from '../../api/users.ts';
import { formatDay, formatMoment } from '../../lib/format.ts';
import { usePasswords } from '../../lib/use-passwords.ts';
import { Badge } from '../../ui/badge.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { MenuItem, RowMenu } from '../../ui/menu.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { actions, RowName, row, Table } from '../../ui/table.tsx';
import { ProblemToast } from '../../ui/toast.tsx';
import { actionsOn, resetPassword, type UserAction } from './user-actions.ts';

interface Props {
  users: readonly UserRecord[];
  sort: string;
  onSort: ((sort: string) => void) | undefined;
}

export function UserTable({ users, sort, onSort }: Props) {
  const { data: oneself } = useQuery(userQuery);
  const hasPasswords = usePasswords();
  const [asked, setAsked] = useState<{ user: UserRecord; action: UserAction } | null>(null);
  const reset = useSave(
    async ({ user_id, email }: UserRecord) => ({ email, ...(await createResetLink(user_id)) }),
    [],
  );
  return (
    <div className="grid gap-4">
      <ProblemToast error={reset.error} onClose={reset.reset} />
      {users.length === 0 && <p className="text-muted">No user matches the search.</p>}
      <Table
        caption="Users"
        columns={[
          { name: 'Name', order: 'name' },
          'Role',
          'Signs in with',
          { name: 'Joined', order: 'created' },
          actions,
        ]}
        sort={sort}
        onSort={onSort}
        rows={users.map((user) =>
          row(
            user.user_id,
            <RowName name={user.name} more={user.email} />,
            <span className="flex flex-wrap gap-1">
              {user.organization_count === 0 && !user.is_admin && (
                <Badge look="warning">No organization</Badge>
              )}
              {user.disabled && <Badge look="danger">Disabled</Badge>}
              {user.is_admin && <Badge>Administrator</Badge>}
            </span>,
            !hasPasswords || !user.has_password ? (
              'Provider'
            ) : user.uses_totp ? (
              <Badge look="success">Two-factor</Badge>
            ) : (
              'Password'
            ),
            formatDay(user.created_at),
            <RowMenu name={user.email}>
              {hasPasswords && !user.disabled && (
                <MenuItem
                  onSelect={() =>
                    setAsked({ user, action: { ...resetPassword, run: (of) => reset.mutateAsync(of) } })
                  }
                >
                  Reset password…
                </MenuItem>
              )}
              {user.user_id !== oneself?.user_id &&
                actionsOn(user).map((action) => (
                  <MenuItem key={action.name} onSelect={() => setAsked({ user, action })}>
                    {action.name}…
                  </MenuItem>
                ))}
            </RowMenu>,
          ),
        )}
      />
      {asked && <ConfirmAction {...asked} onClose={() => setAsked(null)} />}
      {reset.data && (
        <SecretDialog
          title="Reset password link"
          description={`Send it to ${reset.data.email}. It works once, until ${formatMoment(reset.data.expires_at)}.`}
          text={reset.data.url}
          copy="Copy link"
          onClose={reset.reset}
        />
      )}
    </div>
  );
}

interface ConfirmProps {
  user: UserRecord;
  action: UserAction;
  onClose: () => void;
}

function ConfirmAction({ user, action, onClose }: ConfirmProps) {
  const { name, title, description, asksAboutKeys, run } = action;
  const [revokesKeys, setRevokesKeys] = useState(false);
  const change = useSave(() => run(user, revokesKeys), [allUsers], onClose);
  return (
    <Confirm
      title={title(user.email)}
      description={description}
      action={name}
      change={change}
      onClose={onClose}
    >
      {asksAboutKeys && (
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={revokesKeys}
            onChange={(event) => setRevokesKeys(event.target.checked)}
          />
          Also revoke the API keys that belong to them
        </label>
      )}
    </Confirm>
  );
}
