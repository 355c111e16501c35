import { type Static, Type } from 'typebox';
import { Email, exampleUser, userFields } from './accounts.ts';
import { Id, Timestamp } from './common.ts';

const recordFields = {
  ...userFields,
  disabled: Type.Boolean({ description: 'Whether the user is kept from signing in.' }),
  organization_count: Type.Integer({ description: 'How many organizations the user is a member of.' }),
  created_at: Timestamp,
};
const exampleRecord = {
  ...exampleUser,
  disabled: false,
  organization_count: 1,
  created_at: '2026-11-01T09:30:00.000Z',
};

const User = Type.Object(recordFields, { title: 'User', description: 'A person with an account.' });

export const UserResponse = Type.Object(recordFields, {
  title: 'User',
  'x-response-description': 'The user.',
  examples: [exampleRecord],
});

export const ChangeUserRequest = Type.Object(
  {
    is_admin: Type.Optional(
      Type.Boolean({ description: 'Whether the user administers the installation. Default: as it is.' }),
    ),
    disabled: Type.Optional(
      Type.Boolean({ description: '`true` ends the sessions of the user at once. Default: as it is.' }),
    ),
    revoke_keys: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'With `"disabled": true`: also revoke the API keys that belong to the user, in every organization.',
      }),
    ),
  },
  { title: 'ChangeUserRequest', examples: [{ disabled: true }] },
);

export const DeleteUserQuery = Type.Object({
  revoke_keys: Type.Optional(
    Type.Enum(['true', 'false'], {
      type: 'string',
      default: 'false',
      description: '`true`: also revoke the API keys that belong to the user, in every organization.',
    }),
  ),
});

export const UserListResponse = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(User) },
  {
    title: 'UserList',
    'x-response-description': 'All users, oldest first.',
    examples: [{ object: 'list', data: [exampleRecord] }],
  },
);

export const CreateUserRequest = Type.Object(
  {
    email: Email,
    name: Type.Optional(Type.String({ description: 'Default: what stands before the @.' })),
    is_admin: Type.Optional(Type.Boolean({ default: false })),
  },
  { title: 'CreateUserRequest', examples: [{ email: 'ada@example.com', name: 'Ada' }] },
);

export const CreatedUserResponse = Type.Object(
  { ...recordFields, password: Type.String({ description: 'Shown this once.' }) },
  {
    title: 'CreatedUser',
    'x-response-description': 'The user, with a password that was made for the first sign-in.',
    examples: [{ ...exampleRecord, password: 'x7k2m-pq4rs-tuv8w-yz9ab' }],
  },
);

export const ResetLinkResponse = Type.Object(
  {
    url: Type.String({ description: 'The page where a new password is chosen: hand it to the user.' }),
    expires_at: Timestamp,
  },
  {
    title: 'ResetLink',
    'x-response-description': 'A link for one use.',
    examples: [
      {
        url: 'https://embed.example.com/reset-password#token=q8s…',
        expires_at: '2026-11-01T10:30:00.000Z',
      },
    ],
  },
);

export const UserParams = Type.Object({ user_id: Id() });
export type UserParams = Static<typeof UserParams>;
