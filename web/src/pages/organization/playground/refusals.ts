import type { Exchange } from '../../../api/embeddings.ts';
import { formatMoment } from '../../../lib/format.ts';

/** Returns why a request was refused and what to do about it, or null if it was not. */
export function refusalOf({
  status,
  headers,
  body,
  embeddings,
}: Exchange): { text: string; isQuota: boolean } | null {
  if (embeddings) return null;
  const isQuota = status === 429;
  if (isQuota) {
    const reset = headers.find(([name]) => name === 'x-ratelimit-reset')?.[1];
    const when = reset ? ` It resets on ${formatMoment(reset)}.` : '';
    return { text: `A limit or the quota is used up.${when}`, isQuota };
  }
  return { text: messageOf(body) ?? `The service returned status ${status}.`, isQuota };
}

function messageOf(body: string): string | null {
  try {
    const { message } = JSON.parse(body);
    return typeof message === 'string' ? message : null;
  } catch {
    return null;
  }
}
