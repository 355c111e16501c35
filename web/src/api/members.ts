import { queryOptions } from '@tanstack/react-query';
import { answered, api } from './client.ts';
import { inOrganization, keyOf, type Role } from './organizations.ts';
import { type ListSearch, mostRows, pagesOf } from './pages.ts';
import type { components } from './schema.ts';

export type Member = components['schemas']['Member'];
export type Invitation = components['schemas']['Invitation'];

export const allMembersOf = (orgId: string) => ({ queryKey: keyOf(orgId, 'members') });

export const membersQuery = (orgId: string, search: ListSearch) =>
  pagesOf([...allMembersOf(orgId).queryKey, search], (page) =>
    answered(
      api.GET('/v1/organizations/{org_id}/members', {
        params: { ...inOrganization(orgId), query: { ...search, ...page } },
      }),
    ),
  );

/** The members who joined first. */
export const firstMembersQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...allMembersOf(orgId).queryKey, 'first'],
    queryFn: () => findMembers(orgId, { limit: mostRows }),
  });

/** The member with this id. Null: there is none. */
export const memberQuery = (orgId: string, userId: string) =>
  queryOptions({
    queryKey: [...allMembersOf(orgId).queryKey, 'with', userId],
    queryFn: async () => (await findMembers(orgId, { limit: 1, q: userId }))[0] ?? null,
  });

const findMembers = async (orgId: string, query: { limit: number; q?: string }) =>
  (
    await answered(
      api.GET('/v1/organizations/{org_id}/members', {
        params: { ...inOrganization(orgId), query },
      }),
    )
  ).data;

export const invitationsQuery = (orgId: string) =>
  pagesOf(keyOf(orgId, 'invitations'), (query) =>
    answered(
      api.GET('/v1/organizations/{org_id}/invitations', { params: { ...inOrganization(orgId), query } }),
    ),
  );

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
