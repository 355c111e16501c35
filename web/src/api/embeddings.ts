import { queryOptions } from '@tanstack/react-query';
import { base } from '../lib/base.ts';
import { call, rowsOf } from './client.ts';
import { unreachable } from './problem.ts';
import type { components } from './schema.ts';

export type Model = components['schemas']['Model'];

/** The served models and their aliases. */
export const allModelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: () => rowsOf(call('get', '/v1/models')),
  staleTime: 60_000,
});

/** Those for embeddings. The first one is the service's default. */
export const modelsQuery = {
  ...allModelsQuery,
  select: (models: Model[]): Model[] => models.filter(({ task }) => task === 'embed'),
};

/** A response as it came. */
export interface Exchange {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** As text, whatever its format. */
  readonly body: string;
  /** Only for a response with vectors. */
  readonly embeddings: components['schemas']['EmbeddingsResponse'] | null;
  readonly tookMs: number;
}

export interface EmbeddingRequest {
  readonly input: readonly string[];
  readonly model?: string;
  readonly dimensions?: number;
  readonly input_type?: string;
}

/** Embeds with a key, or otherwise as the signed-in user. Refusals are returned too, not thrown. */
export async function embed(orgId: string, key: string | null, request: EmbeddingRequest): Promise<Exchange> {
  const startedAt = performance.now();
  const response = await fetch(`${base}/v1/${key ? '' : `organizations/${orgId}/`}embeddings`, {
    method: 'POST',
    // Never both, because the key is what is being tested.
    credentials: key ? 'omit' : 'same-origin',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(request),
  }).catch(() => {
    throw unreachable();
  });
  const body = await response.text();
  return {
    status: response.status,
    headers: [...response.headers],
    body,
    embeddings: response.ok ? JSON.parse(body) : null,
    tookMs: performance.now() - startedAt,
  };
}
