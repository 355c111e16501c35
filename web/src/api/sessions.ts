import { answered, api } from './client.ts';
import { pagesOf } from './pages.ts';
import type { components } from './schema.ts';

export type Session = components['schemas']['Session'];

/** The sessions of the user. */
export const sessionsQuery = pagesOf(['sessions'], (query) =>
  answered(api.GET('/v1/me/sessions', { params: { query } })),
);

export const endSession = (sessionId: string) =>
  answered(api.DELETE('/v1/me/sessions/{session_id}', { params: { path: { session_id: sessionId } } }));

export const endOtherSessions = () => answered(api.DELETE('/v1/me/sessions'));
