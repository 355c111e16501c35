import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { type ListSearch, pagesOf } from './pages.ts';
import type { components } from './schema.ts';

export type UserRecord = components['schemas']['User'];

/** For administrators, like everything here. */
export const allUsers = ['users'];

export const usersQuery = (search: ListSearch) =>
  pagesOf([...allUsers, search], (page) => call('get', '/v1/users', { ...search, ...page }));

/** The user with this id. Null: there is none. */
export const oneUserQuery = (userId: string) =>
  queryOptions({
    queryKey: [...allUsers, 'with', userId],
    queryFn: async () => (await call('get', '/v1/users', { limit: 1, q: userId })).data[0] ?? null,
  });

export const createUser = (body: components['schemas']['NewUser']) => call('post', '/v1/users', {}, body);

/** Creates a reset password link for a user. */
export const createResetLink = (user_id: string) =>
  call('post', '/v1/users/{user_id}/password-reset', { user_id });

export const changeUser = (user_id: string, change: components['schemas']['UserChanges']) =>
  call('patch', '/v1/users/{user_id}', { user_id }, change);

export const deleteUser = (user_id: string, revokesKeys: boolean) =>
  call('delete', '/v1/users/{user_id}', { user_id, revoke_keys: revokesKeys ? 'true' : 'false' });

export const endUserSessions = (user_id: string) =>
  call('delete', '/v1/users/{user_id}/sessions', { user_id });
