import { Type } from 'typebox';
import { Email, Password, RoleName } from './accounts.ts';
import { Timestamp } from './common.ts';

const exampleMember = {
  user_id: 'user_0a1b2c3d4e5f60718293a4b5',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'owner',
  joined_at: '2026-11-01T09:30:00.000Z',
};

const Member = Type.Object(
  {
    user_id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: RoleName,
    joined_at: Timestamp,
  },
  { title: 'Member' },
);

export const MemberResponse = Type.Object(Member.properties, {
  title: 'Member',
  'x-response-description': 'The member as he is now.',
  examples: [exampleMember],
});

export const MemberListResponse = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(Member) },
  {
    title: 'MemberList',
    'x-response-description': 'All members, oldest first.',
    examples: [{ object: 'list', data: [exampleMember] }],
  },
);

export const RoleRequest = Type.Object(
  { role: RoleName },
  { title: 'RoleRequest', examples: [{ role: 'admin' }] },
);

export const InvitationRequest = Type.Object(
  { email: Email, role: RoleName },
  { title: 'InvitationRequest', examples: [{ email: 'grace@example.com', role: 'member' }] },
);

const invitationFields = {
  invitation_id: Type.String(),
  org_id: Type.String(),
  email: Type.String(),
  role: RoleName,
  mailed: Type.Boolean({ description: 'Whether the link was sent to the address.' }),
  invited_by: Type.String({ description: 'The user’s id.' }),
  created_at: Timestamp,
  expires_at: Timestamp,
};
const exampleInvitation = {
  invitation_id: 'inv_2b3c4d5e6f708192a3b4c5d6',
  org_id: 'org_5f3a2c9d8e7b6a1f0c4d2e98',
  email: 'grace@example.com',
  role: 'member',
  mailed: false,
  invited_by: 'user_0a1b2c3d4e5f60718293a4b5',
  created_at: '2026-11-01T09:30:00.000Z',
  expires_at: '2026-11-08T09:30:00.000Z',
};

export const InvitationListResponse = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(Type.Object(invitationFields, { title: 'Invitation' })),
  },
  {
    title: 'InvitationList',
    'x-response-description': 'Those not yet accepted, newest first, the expired ones as well.',
    examples: [{ object: 'list', data: [exampleInvitation] }],
  },
);

export const CreatedInvitationResponse = Type.Object(
  {
    ...invitationFields,
    url: Type.String({ description: 'The link to hand over, where it was not mailed. Shown this once.' }),
  },
  {
    title: 'CreatedInvitation',
    'x-response-description': 'The invitation, in place of an earlier one to the same address.',
    examples: [{ ...exampleInvitation, url: 'https://embed.example.com/invite#token=q8s…' }],
  },
);

export const InvitationTokenRequest = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200 }) },
  {
    title: 'InvitationTokenRequest',
    description: 'The token is what the link holds behind `#token=`.',
    examples: [{ token: 'q8s…' }],
  },
);

export const FoundInvitationResponse = Type.Object(
  {
    org_id: Type.String(),
    organization: Type.String({ description: 'Its name.' }),
    email: Type.String(),
    role: RoleName,
    expires_at: Timestamp,
    has_account: Type.Boolean({
      description:
        '`true`: sign in as this address, then accept. `false`: accept with a name and a password.',
    }),
  },
  {
    title: 'FoundInvitation',
    'x-response-description': 'What the link is an invitation to.',
    examples: [
      {
        org_id: 'org_5f3a2c9d8e7b6a1f0c4d2e98',
        organization: 'Acme',
        email: 'grace@example.com',
        role: 'member',
        expires_at: '2026-11-08T09:30:00.000Z',
        has_account: false,
      },
    ],
  },
);

export const AcceptInvitationRequest = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 200 }),
    name: Type.Optional(Type.String({ description: 'Of a new account.' })),
    password: Type.Optional(Password),
  },
  {
    title: 'AcceptInvitationRequest',
    description: 'With a session, the token alone.',
    examples: [{ token: 'q8s…', name: 'Grace', password: 'correct horse battery' }],
  },
);

export const AcceptedInvitationResponse = Type.Object(
  { org_id: Type.String(), role: RoleName },
  {
    title: 'AcceptedInvitation',
    'x-response-description': 'The user is a member now, and signed in. Who was one before keeps the role.',
    examples: [{ org_id: 'org_5f3a2c9d8e7b6a1f0c4d2e98', role: 'member' }],
  },
);
