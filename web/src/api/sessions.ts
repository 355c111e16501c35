import { queryOptions } from '@tanstack/react-query';
import { answered, api } from './client.ts';
import type { components } from './schema.ts';

export type Session = components['schemas']['Session'];

/** The sessions of the user. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await answered(api.GET('/v1/me/sessions'))).data,
});

export const endSession = (sessionId: string) =>
  answered(api.DELETE('/v1/me/sessions/{session_id}', { params: { path: { session_id: sessionId } } }));

export const endOtherSessions = () => answered(api.DELETE('/v1/me/sessions'));
