import { type Static, Type } from 'typebox';
import type { Invitation as InvitationRecord } from '../users/invitations.ts';
import { Flag, Id, Nullable, PageResponse, response, Text, Timestamp } from './common.ts';
import { RoleName } from './member.ts';
import { Email, Password } from './user.ts';
import { viewOf } from './view.ts';

const Invitation = Type.Object(
  {
    invitation_id: Id(),
    org_id: Id(),
    email: Type.String(),
    role: RoleName,
    mailed: Flag('Whether the link was sent to the address.'),
    invited_by: Id('The id of the user who sent the invitation.'),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: 'Invitation' },
);
type Invitation = Static<typeof Invitation>;

export const invitationView: (invitation: InvitationRecord) => Invitation = viewOf(Invitation);

export const InvitationListResponse = PageResponse(
  'InvitationList',
  Invitation,
  'A page of the invitations that have not been accepted, by default newest first, including expired ones.',
);

export const InvitationRequest = Type.Object(
  { email: Email, role: RoleName },
  { title: 'InvitationRequest', examples: [{ email: 'grace@example.com', role: 'member' }] },
);

export const CreatedInvitationResponse = Type.Object(
  {
    ...Invitation.properties,
    url: Nullable(Text('The link to hand over. It is shown only once. Null: the link was mailed.')),
  },
  response('CreatedInvitation', 'The invitation. It replaces an earlier one to the same address.'),
);

const Token = Type.String({ minLength: 1, maxLength: 200 });

export const InvitationTokenRequest = Type.Object(
  { token: Token },
  {
    title: 'InvitationTokenRequest',
    description: 'The token is the part of the link after `#token=`.',
    examples: [{ token: 'q8s…' }],
  },
);

const { org_id, role, expires_at } = Invitation.properties;

export const FoundInvitationResponse = Type.Object(
  {
    org_id,
    organization: Text('The organization’s name.'),
    inviter_name: Text('The name of the person who sent it.'),
    email: Type.String(),
    role,
    expires_at,
    has_account: Flag(
      '`true`: sign in as this address, then accept. `false`: accept with a name and a password.',
    ),
  },
  response('FoundInvitation', 'The invitation behind the link.'),
);

const foundView = viewOf(FoundInvitationResponse);

export function foundInvitationView(
  invitation: InvitationRecord,
  organization: string,
  inviterName: string,
  hasAccount: boolean,
): Static<typeof FoundInvitationResponse> {
  return foundView({ ...invitation, organization, inviterName, hasAccount });
}

export const AcceptInvitationRequest = Type.Object(
  {
    token: Token,
    name: Type.Optional(Text('The name of the new account.')),
    password: Type.Optional(Password),
  },
  {
    title: 'InvitationAcceptance',
    description: 'With a session, send only the token.',
    examples: [{ token: 'q8s…', name: 'Grace', password: 'correct horse battery' }],
  },
);

export const AcceptedInvitationResponse = Type.Object(
  { org_id, role },
  response(
    'AcceptedInvitation',
    'The user is now a member, and signed in. Existing members keep their role.',
  ),
);
