import { NoContent, PageQuery, pageView } from '../../api/common.ts';
import { EndedSessionsResponse, SessionListResponse, SessionParams, sessionView } from '../../api/session.ts';
import type { Services } from '../../service/services.ts';
import { sessionList } from '../../users/sessions.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import type { EventStreams } from '../event-streams.ts';
import { userOn } from '../plugins/identify.ts';

/** Registers the routes with which users manage their own sessions. */
export function sessionRoutes(app: App, { sessions }: Services, streams: EventStreams): void {
  const recheck = (ofUser: string) => streams.recheck(({ userId }) => userId === ofUser);

  app.get(
    '/v1/me/sessions',
    described('user', 'listMySessions', 'List your sessions', {
      querystring: PageQuery(sessionList),
      response: { 200: SessionListResponse },
    }),
    async (request) => {
      const { userId, sessionId } = userOn(request);
      const page = await sessions.list(userId, request.query);
      return pageView(page, (session) => sessionView(session, sessionId));
    },
  );

  app.delete(
    '/v1/me/sessions',
    described('user', 'endMyOtherSessions', 'End all your other sessions', {
      description: 'Keeps the session that sends the request.',
      response: { 200: EndedSessionsResponse },
    }),
    async (request) => {
      const { userId, sessionId } = userOn(request);
      const ended = await sessions.endOthers(userId, sessionId);
      await recheck(userId);
      return { ended };
    },
  );

  app.delete(
    '/v1/me/sessions/:session_id',
    described('user', 'endMySession', 'End one of your sessions', {
      description: 'The next request with the session is rejected on every replica.',
      params: SessionParams,
      response: { 204: NoContent },
    }),
    async (request) => {
      const { userId } = userOn(request);
      await sessions.end(userId, request.params.session_id);
      await recheck(userId);
    },
  );
}
