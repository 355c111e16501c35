import { useState } from 'react';
import { useSave } from '../../api/use-save.ts';
import { allUsers, type UserRecord } from '../../api/users.ts';
import { Confirm } from '../../ui/confirm.tsx';
import type { UserAction } from './user-actions.ts';

interface Props {
  user: UserRecord;
  action: UserAction;
  onClose: () => void;
}

export function ConfirmAction({ user, action, onClose }: Props) {
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
