import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { useCallback } from 'react';
import { modelsQuery } from '../../../api/embeddings.ts';
import { requestsQuery } from '../../../api/requests.ts';
import { useRequests } from '../../../frame/live.ts';
import { formatLatency } from '../../../lib/format.ts';
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
      <Line icon={<CircleAlert aria-hidden className="text-muted" />}>
        The request log is off, so this page can’t see your request. Usage counts it.
      </Line>
    );
  }
  if (!request) {
    return (
      <Line icon={<LoaderCircle aria-hidden className="animate-spin text-muted" />}>
        Waiting for your first request…
      </Line>
    );
  }
  const remedy = remedyOf(request);
  if (remedy !== null) {
    return (
      <Line look="bg-warning-soft" icon={<CircleAlert aria-hidden className="text-warning" />}>
        {remedy}
      </Line>
    );
  }
  const { status, latency_ms, outcome, model } = request;
  const dimensions = models.find(({ id }) => id === model)?.dimensions;
  return (
    <Line look="bg-success-soft" icon={<CircleCheck aria-hidden className="text-success" />}>
      Received. {status} in {formatLatency(latency_ms)}
      {dimensions && `, ${dimensions} dimensions`},{' '}
      {outcome === 'counted' ? '1 request counted' : 'from the cache, not counted'}.
    </Line>
  );
}

interface LineProps {
  look?: string;
  icon: React.ReactNode;
  children: React.ReactNode;
}

function Line({ look = 'bg-raised', icon, children }: LineProps) {
  return (
    <p
      role="status"
      className={`flex min-h-10 items-center gap-2.5 rounded-md px-3 py-2 font-medium transition-colors [&>svg]:size-4 [&>svg]:shrink-0 ${look}`}
    >
      {icon}
      <span>{children}</span>
    </p>
  );
}
