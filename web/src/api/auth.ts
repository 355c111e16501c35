import { queryOptions } from '@tanstack/react-query';
import { answered, api } from './client.ts';
import { isStatus } from './problem.ts';
import type { components } from './schema.ts';

export type User = components['schemas']['MeUser'];
export type ProviderId = components['schemas']['ProviderSignInRequest']['provider'];

/** The signed-in user, or null. */
export const userQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async (): Promise<User | null> => {
    try {
      const me = await answered(api.GET('/v1/me'));
      return me.object === 'user' ? me : null;
    } catch (reason) {
      if (isStatus(reason, 401)) return null;
      throw reason;
    }
  },
  staleTime: 60_000,
});

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => answered(api.GET('/v1/auth/options')),
  staleTime: Number.POSITIVE_INFINITY,
});

export const signIn = (email: string, password: string) =>
  answered(api.POST('/v1/auth/sign-in', { body: { email, password } }));

export const signInWithCode = (code: { code: string } | { backup_code: string }) =>
  answered(api.POST('/v1/auth/sign-in/totp', { body: code }));

export const signInWithProvider = (provider: ProviderId, returnTo: string) =>
  answered(api.POST('/v1/auth/sign-in/provider', { body: { provider, return_to: returnTo } }));

export const signUp = (body: components['schemas']['SignUpRequest']) =>
  answered(api.POST('/v1/auth/sign-up', { body }));

export const signOut = () => answered(api.POST('/v1/auth/sign-out'));

export const forgotPassword = (email: string) =>
  answered(api.POST('/v1/auth/password/forgot', { body: { email } }));

export const resetPassword = (token: string, newPassword: string) =>
  answered(api.POST('/v1/auth/password/reset', { body: { token, new_password: newPassword } }));

export const changePassword = (currentPassword: string, newPassword: string) =>
  answered(
    api.POST('/v1/me/password', { body: { current_password: currentPassword, new_password: newPassword } }),
  );

export const renameOneself = (name: string) => answered(api.PATCH('/v1/me', { body: { name } }));

export const setUpTotp = (password: string) => answered(api.POST('/v1/me/totp', { body: { password } }));
export const confirmTotp = (code: string) => answered(api.POST('/v1/me/totp/confirm', { body: { code } }));
export const removeTotp = (password: string) =>
  answered(api.POST('/v1/me/totp/remove', { body: { password } }));

export const findInvitation = (token: string) =>
  answered(api.POST('/v1/invitations/find', { body: { token } }));
export const acceptInvitation = (body: components['schemas']['AcceptInvitationRequest']) =>
  answered(api.POST('/v1/invitations/accept', { body }));
