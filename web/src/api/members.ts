import { queryOptions } from '@tanstack/react-query';
import type { Role } from './organizations.ts';
import { request } from './request.ts';

export interface Member {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly created_at: string;
}

export interface Invitation {
  readonly invitation_id: string;
  readonly email: string;
  readonly role: Role;
  readonly expires_at: string;
  /** Whether it went out by e-mail. */
  readonly mailed: boolean;
  /** Only in the answer to its creation. */
  readonly link?: string;
}

const pathOf = (orgId: string, what: string): string =>
  `/v1/organizations/${encodeURIComponent(orgId)}/${what}`;

export const membersQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['organizations', orgId, 'members'],
    queryFn: async () => (await request<{ data: Member[] }>('GET', pathOf(orgId, 'members'))).data,
  });

export const invitationsQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['organizations', orgId, 'invitations'],
    queryFn: async () => (await request<{ data: Invitation[] }>('GET', pathOf(orgId, 'invitations'))).data,
  });

export const invite = (orgId: string, email: string, role: Role): Promise<Invitation> =>
  request('POST', pathOf(orgId, 'invitations'), { email, role });
export const withdrawInvitation = (orgId: string, invitationId: string): Promise<void> =>
  request('DELETE', pathOf(orgId, `invitations/${invitationId}`));
export const changeRole = (orgId: string, userId: string, role: Role): Promise<Member> =>
  request('PATCH', pathOf(orgId, `members/${userId}`), { role });
export const removeMember = (orgId: string, userId: string): Promise<void> =>
  request('DELETE', pathOf(orgId, `members/${userId}`));
