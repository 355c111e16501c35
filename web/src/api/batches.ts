import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { base } from '../lib/base.ts';
import { call } from './client.ts';
import { keyOf } from './organizations.ts';
import { pagesOf, refreshAfter, refreshMs } from './pages.ts';
import { problemOf, unreachable } from './problem.ts';
import { queryClient } from './query-client.ts';
import type { components } from './schema.ts';

export type Batch = components['schemas']['Batch'];

/** How often a batch that has not ended is loaded again. */
const pollMs = 3_500;

const ends: readonly Batch['status'][] = ['completed', 'failed', 'expired', 'cancelled'];
export const hasEnded = ({ status }: Batch): boolean => ends.includes(status);

export const batchesOf = (orgId: string) => keyOf(orgId, 'batches');

/** The batches of an organization, newest first. */
export const batchesQuery = (org_id: string) =>
  infiniteQueryOptions({
    ...pagesOf(batchesOf(org_id), async (query) => {
      const page = await call('get', '/v1/organizations/{org_id}/batches', { org_id, ...query });
      return { ...page, next: page.has_more ? page.last_id : null };
    }),
    refetchInterval: ({ state }) =>
      refreshAfter(state, state.data?.pages.every(({ data }) => data.every(hasEnded)) ? refreshMs : pollMs),
  });

export const batchQuery = (org_id: string, batch_id: string) =>
  queryOptions({
    queryKey: [...batchesOf(org_id), batch_id],
    queryFn: () => call('get', '/v1/organizations/{org_id}/batches/{batch_id}', { org_id, batch_id }),
    // What the list has, so that the details of a row open at once.
    placeholderData: () =>
      queryClient
        .getQueryData(batchesQuery(org_id).queryKey)
        ?.pages.flatMap(({ data }) => data)
        .find(({ id }) => id === batch_id),
    refetchInterval: ({ state }) =>
      state.data !== undefined && !hasEnded(state.data) && refreshAfter(state, pollMs),
  });

export const cancelBatch = (org_id: string, batch_id: string) =>
  call('post', '/v1/organizations/{org_id}/batches/{batch_id}/cancel', { org_id, batch_id });

interface Sending {
  readonly signal: AbortSignal;
  /** Gets the share of the file that has been sent. */
  onProgress(share: number): void;
}

/** Uploads a file, and runs it at the endpoint that its first line names. */
export async function runFile(org_id: string, file: File, { signal, onProgress }: Sending) {
  // A line has at most 4 MiB, unless the service allows more.
  const [first = ''] = (await file.slice(0, 4 << 20).text()).split('\n', 1);
  const endpoint = /"url"\s*:\s*"\/v1\/rerank"/.test(first) ? '/v1/rerank' : '/v1/embeddings';
  const body = new FormData();
  body.append('purpose', 'batch');
  body.append('file', file);
  // `fetch` does not say how much has been sent.
  const request = new XMLHttpRequest();
  request.responseType = 'json';
  request.open('POST', `${base}/v1/organizations/${org_id}/files`);
  request.setRequestHeader('X-Error-Format', 'openai');
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
  signal.onabort = () => request.abort();
  await new Promise((resolve) => {
    request.onloadend = resolve;
    request.send(body);
  });
  const { status, response } = request;
  signal.throwIfAborted();
  if (status !== 200) throw status === 0 ? unreachable() : problemOf(status, response);
  const batch = { input_file_id: response.id, endpoint } as const;
  return call('post', '/v1/organizations/{org_id}/batches', { org_id }, batch);
}
