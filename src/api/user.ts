import { type Static, Type } from 'typebox';
import type { Belongings } from '../users/stored-user-changes.ts';
import type { User as UserRecord } from '../users/user.ts';
import { Choice, Flag, Id, Many, PageResponse, response, Text, Timestamp, Whole } from './common.ts';
import { viewOf } from './view.ts';

export const Email = Type.String({ maxLength: 254, description: 'An email address.' });
export const Password = Type.String({ maxLength: 128, description: '10 to 128 characters.' });

/** A user as the user sees it. */
export const ownFields = {
  user_id: Id(),
  email: Type.String(),
  name: Type.String(),
  is_admin: Flag('Whether the user is an administrator of the installation.'),
  uses_totp: Type.Boolean(),
  has_password: Flag('False: the user signs in with a provider only.'),
};

export const ownView = viewOf(Type.Object(ownFields));

const User = Type.Object(
  {
    ...ownFields,
    disabled: Flag('Whether the user is prevented from signing in.'),
    organization_count: Whole('Number of organizations that the user is a member of.'),
    created_at: Timestamp,
  },
  { title: 'User' },
);
type User = Static<typeof User>;

const view = viewOf(User);
export const userView = (user: UserRecord): User => view({ ...user, disabled: user.isDisabled });

export const UserResponse = Type.Object(User.properties, response('User', 'The user.'));

export const UserDetailsResponse = Type.Object(
  {
    ...User.properties,
    sole_owner_of: Many(
      Type.Object({ org_id: Id(), name: Type.String() }, { title: 'OwnedOrganization' }),
      'The organizations that have no other owner who can sign in.',
    ),
    key_count: Whole('The number of the user’s active keys in all organizations.'),
  },
  response('UserDetails', 'The user, and what they would leave behind.'),
);

export const userDetailsView = (user: UserRecord, { organizations, keys }: Belongings) => ({
  ...userView(user),
  sole_owner_of: organizations.map(({ orgId, name }) => ({ org_id: orgId, name })),
  key_count: keys,
});

export const UserListResponse = PageResponse('UserList', User, 'A page of the users.');

export const CreateUserRequest = Type.Object(
  {
    email: Email,
    name: Type.Optional(Text('Default: the part of the address before the @.')),
    is_admin: Type.Optional(Type.Boolean({ default: false })),
  },
  { title: 'NewUser', examples: [{ email: 'ada@example.com', name: 'Ada' }] },
);

export const CreatedUserResponse = Type.Object(
  { ...User.properties, password: Text('It is shown only once.') },
  response('CreatedUser', 'The user, with a generated password for the first sign-in.'),
);

export const ChangeUserRequest = Type.Object(
  {
    is_admin: Type.Optional(
      Flag('Whether the user is an administrator of the installation. Default: unchanged.'),
    ),
    disabled: Type.Optional(Flag('`true` ends the user’s sessions immediately. Default: unchanged.')),
    revoke_keys: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'With `"disabled": true`: also revoke the user’s API keys in all organizations.',
      }),
    ),
  },
  { title: 'UserChanges', examples: [{ disabled: true }] },
);

export const DeleteUserQuery = Type.Object({
  revoke_keys: Type.Optional(
    Choice(['true', 'false'], '`true`: also revoke the user’s API keys in all organizations.', 'false'),
  ),
  successor_id: Type.Optional(
    Id(
      'The user who then owns the organizations that have no other owner, and has the keys of the deleted user.',
    ),
  ),
});

export const ResetLinkResponse = Type.Object(
  {
    url: Text('The page on which the user chooses a new password. Send it to the user.'),
    expires_at: Timestamp,
  },
  response('ResetLink', 'A reset password link. It can be used once.'),
);

export const UserParams = Type.Object({ user_id: Id() });
