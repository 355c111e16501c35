import { ErrorBody } from '../../api/error.ts';
import { EventQuery, EventsResponse } from '../../api/request.ts';
import { requireMay } from '../../organizations/access.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import type { EventStreams } from '../event-streams.ts';
import { withoutIdleTimeout } from '../new-server.ts';
import { relationOfUser } from '../plugins/access.ts';
import { userOn } from '../plugins/identify.ts';
import { seesSenders } from './requests.ts';

export function eventRoutes(app: App, services: Services, streams: EventStreams): void {
  app.get(
    '/v1/events',
    {
      // A HEAD request would open a stream that nobody reads.
      exposeHeadRoute: false,
      ...described('user', 'streamEvents', 'Follow an organization live', {
        description:
          'Server-sent events. `request`: an entry of the log, at most 10 a second; its id resumes with `Last-Event-ID`. `usage`: the number of requests since the last one. `key`, `alert` and `member`: something changed. A comment every 15 seconds keeps the connection open. The stream ends with the session.',
        querystring: EventQuery,
        response: { 200: EventsResponse, 404: ErrorBody, 429: ErrorBody },
      }),
    },
    async (request, reply) => {
      const { org_id: orgId } = request.query;
      const reading = userOn(request);
      const { userId } = reading;
      const cookie = request.headers.cookie ?? '';
      const relation = await relationOfUser(orgId, reading, services);
      requireMay(relation, 'usage.read');
      const reader = {
        orgId,
        userId,
        cookie,
        seesAll: seesSenders(relation),
        async check() {
          const user = (await services.signIn.session(cookie))?.user;
          const now = user?.userId === userId && (await relationOfUser(orgId, user, services));
          return now && now !== 'stranger' ? { seesAll: seesSenders(now) } : undefined;
        },
      };
      const output = await streams.open(reader, request.headers['last-event-id']);
      const closed = new Promise<void>((resolve) => output.once('close', resolve));
      void withoutIdleTimeout(request.raw.socket, closed);
      // The request has no more work to do, and must not hold a turn as long as the stream lasts.
      request.hold.endWork();
      request.hold.close();
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(output as never);
    },
  );
}
