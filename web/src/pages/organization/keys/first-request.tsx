import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { modelsQuery } from '../../../api/embeddings.ts';
import { refreshAfter } from '../../../api/pages.ts';
import { type LoggedRequest, requestsQuery } from '../../../api/requests.ts';
import { formatLatency } from '../../../lib/format.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { remedyOf } from '../requests/remedies.ts';

interface Props {
  /** Undefined: any key or person. */
  keyId?: string | undefined;
  /** Whether a request has arrived, which may be one that the log doesn't have: a line of a batch. */
  hasArrived?: boolean;
}

/** `useLive` loads the log as soon as there is a request. This is how soon the page says that it can't. */
const checkMs = 10_000;

/** Waits for a request, and says what became of it. */
export function FirstRequest({ keyId, hasArrived = false }: Props) {
  const { org_id: orgId } = useOrganization();
  const { data, error, refetch } = useInfiniteQuery({
    ...requestsQuery(orgId, { key_id: keyId }, 1),
    refetchInterval: ({ state }) =>
      !hasArrived && !state.data?.pages[0]?.data[0] && refreshAfter(state, checkMs),
  });
  const { data: models = [] } = useQuery(modelsQuery);
  const page = data?.pages[0];
  const request = page?.data[0];
  if (error && !request && !hasArrived) return <Problem error={error} onRetry={() => void refetch()} />;
  if (page?.enabled === false && !hasArrived) {
    return (
      <Notice role="status">
        The request log is off, so this page can’t see your request. Usage counts it.
      </Notice>
    );
  }
  const dimensions = models.find(({ id }) => id === request?.model)?.dimensions;
  const remedy = request && remedyOf(request);
  return (
    <Notice look={remedy ? 'warning' : request || hasArrived ? 'success' : 'busy'} role="status">
      {request ? (
        <>
          <p>{remedy ?? receiptOf(request, dimensions)}</p>
          <Link
            to="/organizations/$orgId/requests"
            params={{ orgId }}
            search={{ open: request.request_id }}
            className="text-accent underline"
          >
            See it in Requests
          </Link>
        </>
      ) : hasArrived ? (
        'Received.'
      ) : (
        'Waiting for your first request…'
      )}
    </Notice>
  );
}

function receiptOf({ status, latency_ms, outcome }: LoggedRequest, dimensions: number | undefined): string {
  const size = dimensions === undefined ? '' : `, ${dimensions} dimensions`;
  const count = outcome === 'counted' ? '1 request counted' : 'from the cache, not counted';
  return `Received. ${status} in ${formatLatency(latency_ms)}${size}, ${count}.`;
}
