import { queryOptions } from '@tanstack/react-query';
import { call, rowsOf } from './client.ts';
import { keyOf, type Role } from './organizations.ts';
import { type ListSearch, mostRows, pagesOf } from './pages.ts';
import type { components } from './schema.ts';

export type Member = components['schemas']['ListedMember'];
export type Invitation = components['schemas']['Invitation'];

const allMembersOf = (org_id: string) => keyOf(org_id, 'members');

const findMembers = (org_id: string, query: ListSearch & { limit: number }) =>
  call('get', '/v1/organizations/{org_id}/members', { org_id, ...query });

export const membersQuery = (org_id: string, search: ListSearch) =>
  pagesOf([...allMembersOf(org_id), search], (page) => findMembers(org_id, { ...search, ...page }));

/** The members who joined first. */
export const firstMembersQuery = (org_id: string) =>
  queryOptions({
    queryKey: [...allMembersOf(org_id), 'first'],
    queryFn: () => rowsOf(findMembers(org_id, { limit: mostRows })),
  });

/** The member with this id. Null: there is none. */
export const memberQuery = (org_id: string, userId: string) =>
  queryOptions({
    queryKey: [...allMembersOf(org_id), 'with', userId],
    queryFn: async () => (await findMembers(org_id, { limit: 1, q: userId })).data[0] ?? null,
  });

export const invitationsQuery = (org_id: string) =>
  pagesOf(keyOf(org_id, 'invitations'), (page) =>
    call('get', '/v1/organizations/{org_id}/invitations', { org_id, ...page }),
  );

export const invite = (org_id: string, email: string, role: Role) =>
  call('post', '/v1/organizations/{org_id}/invitations', { org_id }, { email, role });

export const withdrawInvitation = (org_id: string, invitation_id: string) =>
  call('delete', '/v1/organizations/{org_id}/invitations/{invitation_id}', { org_id, invitation_id });

export const setRole = (org_id: string, user_id: string, role: Role) =>
  call('patch', '/v1/organizations/{org_id}/members/{user_id}', { org_id, user_id }, { role });

/** What happens to the keys of a member who leaves: `keep`, `revoke`, or the id of the member who gets them. */
export type KeysTo = string;

export const removeMember = (org_id: string, user_id: string, keysTo: KeysTo) =>
  call('delete', '/v1/organizations/{org_id}/members/{user_id}', {
    org_id,
    user_id,
    ...(keysTo === 'revoke' ? { revoke_keys: 'true' } : keysTo !== 'keep' && { successor_id: keysTo }),
  });
