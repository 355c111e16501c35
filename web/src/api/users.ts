import { queryOptions } from '@tanstack/react-query';
import { answered, api } from './client.ts';
import { type ListSearch, pagesOf } from './pages.ts';
import type { components } from './schema.ts';

export type UserRecord = components['schemas']['User'];

/** For administrators, like everything here. */
export const allUsers = { queryKey: ['users'] };

export const usersQuery = (search: ListSearch) =>
  pagesOf([...allUsers.queryKey, search], (page) =>
    answered(api.GET('/v1/users', { params: { query: { ...search, ...page } } })),
  );

/** The user with this id. Null: there is none. */
export const oneUserQuery = (userId: string) =>
  queryOptions({
    queryKey: [...allUsers.queryKey, 'with', userId],
    queryFn: async () =>
      (await answered(api.GET('/v1/users', { params: { query: { limit: 1, q: userId } } }))).data[0] ?? null,
  });

export const createUser = (email: string, name: string, isAdmin: boolean) =>
  answered(api.POST('/v1/users', { body: { email, ...(name && { name }), is_admin: isAdmin } }));

/** Creates a reset password link for a user. */
export const createResetLink = (userId: string) =>
  answered(api.POST('/v1/users/{user_id}/password-reset', { params: { path: { user_id: userId } } }));

export interface UserChange {
  is_admin?: boolean;
  disabled?: boolean;
  revoke_keys?: boolean;
}

export const changeUser = (userId: string, change: UserChange) =>
  answered(api.PATCH('/v1/users/{user_id}', { params: { path: { user_id: userId } }, body: change }));

export const deleteUser = (userId: string, revokesKeys: boolean) =>
  answered(
    api.DELETE('/v1/users/{user_id}', {
      params: { path: { user_id: userId }, query: { revoke_keys: revokesKeys ? 'true' : 'false' } },
    }),
  );

export const endUserSessions = (userId: string) =>
  answered(api.DELETE('/v1/users/{user_id}/sessions', { params: { path: { user_id: userId } } }));
