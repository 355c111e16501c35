import { changeUser, deleteUser, endUserSessions, type UserRecord } from '../../api/users.ts';

export interface UserAction {
  /** The text in the menu, and on the button that confirms it. */
  readonly name: string;
  readonly title: (email: string) => string;
  readonly description: string;
  /** Whether the administrator decides what happens to the user's API keys. */
  readonly asksAboutKeys?: true;
  readonly run: (user: UserRecord, revokesKeys: boolean) => Promise<unknown>;
}

const keysStay = 'API keys stay valid, because they belong to the organization, unless you revoke them here.';

const promote: UserAction = {
  name: 'Make administrator',
  title: (email) => `Make ${email} an administrator?`,
  description: 'They can do everything, in every organization, and manage all users.',
  run: ({ user_id }) => changeUser(user_id, { is_admin: true }),
};
const demote: UserAction = {
  name: 'Remove administrator',
  title: (email) => `Remove ${email} as an administrator?`,
  description: 'They keep their account and the organizations that they are a member of.',
  run: ({ user_id }) => changeUser(user_id, { is_admin: false }),
};
/** Its link is shown afterwards. */
export const resetPassword: Omit<UserAction, 'run'> = {
  name: 'Reset password',
  title: (email) => `Make a link that resets the password of ${email}?`,
  description: 'It works once. Their present password works until they open it.',
};
const signOut: UserAction = {
  name: 'Sign out everywhere',
  title: (email) => `Sign ${email} out everywhere?`,
  description: 'All their sessions end at once. They can sign in again.',
  run: ({ user_id }) => endUserSessions(user_id),
};
const disable: UserAction = {
  name: 'Disable',
  title: (email) => `Disable ${email}?`,
  description:
    'They are signed out at once and can’t sign in until you enable them. The invitations that they have sent ' +
    `are withdrawn. ${keysStay}`,
  asksAboutKeys: true,
  run: ({ user_id }, revokesKeys) => changeUser(user_id, { disabled: true, revoke_keys: revokesKeys }),
};
const enable: UserAction = {
  name: 'Enable',
  title: (email) => `Enable ${email}?`,
  description: 'They can sign in again, with the password or provider that they used before.',
  run: ({ user_id }) => changeUser(user_id, { disabled: false }),
};
const remove: UserAction = {
  name: 'Delete',
  title: (email) => `Delete ${email}?`,
  description: `Their account, memberships and sent invitations are deleted. This can’t be undone. ${keysStay}`,
  asksAboutKeys: true,
  run: ({ user_id }, revokesKeys) => deleteUser(user_id, revokesKeys),
};

/** Returns what an administrator can do to another user. */
export function actionsOn({ is_admin, disabled }: UserRecord): UserAction[] {
  return [is_admin ? demote : promote, ...(disabled ? [] : [signOut]), disabled ? enable : disable, remove];
}
