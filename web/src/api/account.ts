import { call } from './client.ts';
import { pagesOf } from './pages.ts';
import type { components } from './schema.ts';

/** A secret for an authenticator, and backup codes. */
export type Enrollment = components['schemas']['TotpSetup'];
export type Session = components['schemas']['Session'];

export const signUp = (body: components['schemas']['NewAccount']) =>
  call('post', '/v1/auth/sign-up', {}, body);

export const forgotPassword = (body: { email: string }) => call('post', '/v1/auth/password/forgot', {}, body);

export const resetPassword = (token: string, new_password: string) =>
  call('post', '/v1/auth/password/reset', {}, { token, new_password });

export const changePassword = (current_password: string, new_password: string) =>
  call('post', '/v1/me/password', {}, { current_password, new_password });

export const renameOneself = (body: { name: string }) => call('patch', '/v1/me', {}, body);

export const setUpTotp = (password: string) => call('post', '/v1/me/totp', {}, { password });
export const confirmTotp = (body: { code: string }) => call('post', '/v1/me/totp/confirm', {}, body);
export const removeTotp = (password: string) => call('post', '/v1/me/totp/remove', {}, { password });

/** The sessions of the user. */
export const sessionsQuery = pagesOf(['sessions'], (page) => call('get', '/v1/me/sessions', page));
export const endSession = (session_id: string) =>
  call('delete', '/v1/me/sessions/{session_id}', { session_id });
export const endOtherSessions = () => call('delete', '/v1/me/sessions');

export const findInvitation = (token: string) => call('post', '/v1/invitations/find', {}, { token });
export const acceptInvitation = (body: components['schemas']['InvitationAcceptance']) =>
  call('post', '/v1/invitations/accept', {}, body);
