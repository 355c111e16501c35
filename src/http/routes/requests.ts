import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { OrgParams, pageView } from '../../api/common.ts';
import {
  bucketsOf,
  filterOf,
  HistogramQuery,
  HistogramResponse,
  histogramOf,
  RequestListResponse,
  RequestQuery,
  requestView,
} from '../../api/request.ts';
import { isoTime } from '../../lib/clock.ts';
import { FairTurns } from '../../lib/fair-turns.ts';
import type { Relation } from '../../organizations/access.ts';
import type { Services } from '../../service/services.ts';
import { requestList } from '../../usage/request-log.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { organizationOn } from '../plugins/access.ts';
import { principalOn } from '../plugins/identify.ts';

const path = '/v1/organizations/:org_id/requests';
const dayMs = 86_400_000;
/** On Postgres. */
const readsAtATime = 4;

/** Reports whether the caller may see which people sent requests. Otherwise they see only their own. */
const seesSenders = (relation: Relation): boolean => relation !== 'viewer' && typeof relation === 'string';

export function requestRoutes(app: App, { stores: { requestLog }, clock, config }: Services): void {
  // Filters may have to look at every row, and SQLite reads for all organizations in one thread.
  const turns = new FairTurns(config.postgres === null ? 1 : readsAtATime);
  const inTurn = <T>(id: string | null, read: () => Promise<T>) =>
    turns.run({ id: id ?? '', weight: 1 }, 1, read);
  const log = { enabled: config.hasRequestLog, kept_days: config.requestLogMaxAgeMs / dayMs };

  const readPage = async (request: FastifyRequest, query: Static<typeof RequestQuery>) => {
    const orgId = organizationOn(request);
    const reader = readerOn(request);
    const filter = filterOf(query, reader);
    const asked = requestList.request(query, [orgId, JSON.stringify(filter)]);
    const page = await inTurn(orgId, () => requestLog.page(orgId, filter, asked));
    return { ...pageView(page, (entry) => requestView(entry, reader)), ...log };
  };

  app.get(
    path,
    described('usage.read', 'listRequests', 'List the requests of an organization', {
      description:
        'The log has the metadata of requests that embed or rerank, newest first, some tenths of a second ' +
        'after the response. It has no text, no vector and no address. Viewers and keys don’t see which other ' +
        'person sent a request.',
      params: OrgParams,
      querystring: RequestQuery,
      response: { 200: RequestListResponse },
    }),
    (request) => readPage(request, request.query),
  );

  app.get(
    '/v1/requests',
    described('usage.read', 'listAllRequests', 'List the requests of all organizations', {
      description:
        'For administrators, for example to find a request by its `X-Request-Id`. A key gets those of its ' +
        'organization.',
      querystring: RequestQuery,
      response: { 200: RequestListResponse },
    }),
    (request) => readPage(request, request.query),
  );

  app.get(
    `${path}/histogram`,
    described('usage.read', 'getRequestHistogram', 'Count the requests of an organization over time', {
      description: 'By default, the requests of the last hour, by minute.',
      params: OrgParams,
      querystring: HistogramQuery,
      response: { 200: HistogramResponse },
    }),
    async (request) => {
      const { filter, bucketMs } = histogramOf(filterOf(request.query, readerOn(request)), clock.now());
      const { org_id: orgId } = request.params;
      const parts = await inTurn(orgId, () => requestLog.histogram(orgId, filter, bucketMs));
      return {
        from: isoTime(filter.fromMs),
        to: isoTime(filter.toMs),
        bucket_ms: bucketMs,
        buckets: bucketsOf(parts, filter.fromMs, bucketMs),
        ...log,
      };
    },
  );
}

function readerOn(request: FastifyRequest) {
  const principal = principalOn(request);
  const userId = principal.kind === 'user' ? principal.userId : null;
  return { seesAll: seesSenders(request.relation), userId };
}
