import type { Services } from '../../service/services.ts';
import { sessionView } from '../../views.ts';
import type { App } from '../app-types.ts';
import { userOn } from '../plugins/identify.ts';
import { ErrorBody, NoContent } from '../schemas/common.ts';
import { EndedSessionsResponse, SessionListResponse, SessionParams } from '../schemas/sessions.ts';

const tags = ['Me'];

/** Where a user is signed in, for the user. */
export function sessionRoutes(app: App, { sessions }: Services): void {
  const user = { access: 'user' } as const;

  app.get(
    '/v1/me/sessions',
    {
      config: user,
      schema: {
        operationId: 'listMySessions',
        summary: 'List one’s sessions',
        tags,
        response: { 200: SessionListResponse },
      },
    },
    async (request) => {
      const { userId, sessionId } = userOn(request);
      const found = await sessions.list(userId);
      return { object: 'list' as const, data: found.map((session) => sessionView(session, sessionId)) };
    },
  );

  app.delete(
    '/v1/me/sessions',
    {
      config: user,
      schema: {
        operationId: 'endMyOtherSessions',
        summary: 'End all of one’s other sessions',
        description: 'The session that makes the request stays.',
        tags,
        response: { 200: EndedSessionsResponse },
      },
    },
    async (request) => {
      const { userId, sessionId } = userOn(request);
      return { ended: await sessions.endOthers(userId, sessionId) };
    },
  );

  app.delete(
    '/v1/me/sessions/:session_id',
    {
      config: user,
      schema: {
        operationId: 'endMySession',
        summary: 'End one of one’s sessions',
        description: 'The next request with it is refused, on every replica.',
        tags,
        params: SessionParams,
        response: { 204: NoContent, 404: ErrorBody },
      },
    },
    async (request, reply) => {
      await sessions.end(userOn(request).userId, request.params.session_id);
      return reply.code(204).send(null);
    },
  );
}
