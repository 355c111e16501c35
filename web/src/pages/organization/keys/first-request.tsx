import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { modelsQuery } from '../../../api/embeddings.ts';
import { requestsQuery } from '../../../api/requests.ts';
import { useRequests } from '../../../frame/live.ts';
import { formatLatency } from '../../../lib/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { remedyOf } from '../requests/remedies.ts';

interface Props {
  orgId: string;
  /** Undefined: any key. */
  keyId?: string | undefined;
  /** Only requests from this moment on count. */
  sinceMs?: number | undefined;
}

/** Waits for a request, and says what became of it. */
export function FirstRequest({ orgId, keyId, sinceMs }: Props) {
  const filter = {
    ...(keyId !== undefined && { key_id: keyId }),
    ...(sinceMs !== undefined && { from: new Date(sinceMs).toISOString() }),
  };
  const { data, refetch } = useInfiniteQuery(requestsQuery(orgId, filter, 1));
  useRequests(useCallback(() => void refetch(), [refetch]));
  const { data: models = [] } = useQuery(modelsQuery);
  const page = data?.pages[0];
  const request = page?.data[0];
  if (page?.enabled === false) {
    return (
      <Notice role="status">
        The request log is off, so this page can’t see your request. Usage counts it.
      </Notice>
    );
  }
  if (!request) {
    return (
      <Notice look="busy" role="status">
        Waiting for your first request…
      </Notice>
    );
  }
  const remedy = remedyOf(request);
  if (remedy !== null) {
    return (
      <Notice look="warning" role="status">
        {remedy}
      </Notice>
    );
  }
  const { status, latency_ms, outcome, model } = request;
  const dimensions = models.find(({ id }) => id === model)?.dimensions;
  return (
    <Notice look="success" role="status">
      Received. {status} in {formatLatency(latency_ms)}
      {dimensions && `, ${dimensions} dimensions`},{' '}
      {outcome === 'counted' ? '1 request counted' : 'from the cache, not counted'}.
    </Notice>
  );
}
