import { queryOptions } from '@tanstack/react-query';
import { answered, api } from './client.ts';
import { inOrganization, keyOf, type Role } from './organizations.ts';
import type { components } from './schema.ts';

export type Member = components['schemas']['Member'];
export type Invitation = components['schemas']['Invitation'];

export const membersQuery = (orgId: string) =>
  queryOptions({
    queryKey: keyOf(orgId, 'members'),
    queryFn: async () =>
      (await answered(api.GET('/v1/organizations/{org_id}/members', { params: inOrganization(orgId) }))).data,
  });

export const invitationsQuery = (orgId: string) =>
  queryOptions({
    queryKey: keyOf(orgId, 'invitations'),
    queryFn: async () =>
      (await answered(api.GET('/v1/organizations/{org_id}/invitations', { params: inOrganization(orgId) })))
        .data,
  });

export const invite = (orgId: string, email: string, role: Role) =>
  answered(
    api.POST('/v1/organizations/{org_id}/invitations', {
      params: inOrganization(orgId),
      body: { email, role },
    }),
  );

export const withdrawInvitation = (orgId: string, invitationId: string) =>
  answered(
    api.DELETE('/v1/organizations/{org_id}/invitations/{invitation_id}', {
      params: { path: { org_id: orgId, invitation_id: invitationId } },
    }),
  );

const ofMember = (orgId: string, userId: string) => ({ path: { org_id: orgId, user_id: userId } });

export const setRole = (orgId: string, userId: string, role: Role) =>
  answered(
    api.PATCH('/v1/organizations/{org_id}/members/{user_id}', {
      params: ofMember(orgId, userId),
      body: { role },
    }),
  );

export const removeMember = (orgId: string, userId: string) =>
  answered(api.DELETE('/v1/organizations/{org_id}/members/{user_id}', { params: ofMember(orgId, userId) }));
