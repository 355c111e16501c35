import { Type } from 'typebox';
import { Email, Password, RoleName } from './accounts.ts';
import { Id, Nullable, Timestamp } from './common.ts';

const exampleMember = {
  user_id: '01a19671-bdd8-7439-9c26-0d844f0260bb',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'owner',
  joined_at: '2026-11-01T09:30:00.000Z',
};

const Member = Type.Object(
  {
    user_id: Id(),
    email: Type.String(),
    name: Type.String(),
    role: RoleName,
    joined_at: Timestamp,
  },
  { title: 'Member' },
);

export const MemberResponse = Type.Object(Member.properties, {
  title: 'Member',
  'x-response-description': 'The updated member.',
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
  invitation_id: Id(),
  org_id: Id(),
  email: Type.String(),
  role: RoleName,
  mailed: Type.Boolean({ description: 'Whether the link was sent to the address.' }),
  invited_by: Id('The user’s identifier.'),
  created_at: Timestamp,
  expires_at: Timestamp,
};
const exampleInvitation = {
  invitation_id: '01a19671-c1c0-7667-9783-af2c197a3393',
  org_id: '01a19671-c1c0-7453-bb19-492ba816cd71',
  email: 'grace@example.com',
  role: 'member',
  mailed: false,
  invited_by: '01a19671-bdd8-7439-9c26-0d844f0260bb',
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
    url: Nullable(
      Type.String({ description: 'The link to hand over, shown this once. Null when it was mailed.' }),
    ),
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
    org_id: Id(),
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
        org_id: '01a19671-c1c0-7453-bb19-492ba816cd71',
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
  { org_id: Id(), role: RoleName },
  {
    title: 'AcceptedInvitation',
    'x-response-description': 'The user is a member now, and signed in. Who was one before keeps the role.',
    examples: [{ org_id: '01a19671-c1c0-7453-bb19-492ba816cd71', role: 'member' }],
  },
);
