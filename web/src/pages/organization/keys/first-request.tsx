import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../../api/embeddings.ts';
import { type LoggedRequest, requestsQuery } from '../../../api/requests.ts';
import { formatLatency } from '../../../lib/format.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Notice } from '../../../ui/notice.tsx';
import { remedyOf } from '../requests/remedies.ts';

interface Props {
  /** Undefined: any key. */
  keyId: string | undefined;
}

/** Waits for a request, and says what became of it. */
export function FirstRequest({ keyId }: Props) {
  const { org_id: orgId } = useOrganization();
  const { data } = useInfiniteQuery(requestsQuery(orgId, { key_id: keyId }, 1));
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
  const dimensions = models.find(({ id }) => id === request?.model)?.dimensions;
  const remedy = request && remedyOf(request);
  return (
    <Notice look={!request ? 'busy' : remedy ? 'warning' : 'success'} role="status">
      {request ? (remedy ?? receiptOf(request, dimensions)) : 'Waiting for your first request…'}
    </Notice>
  );
}

function receiptOf({ status, latency_ms, outcome }: LoggedRequest, dimensions: number | undefined): string {
  const size = dimensions === undefined ? '' : `, ${dimensions} dimensions`;
  const count = outcome === 'counted' ? '1 request counted' : 'from the cache, not counted';
  return `Received. ${status} in ${formatLatency(latency_ms)}${size}, ${count}.`;
}
