import type { RerankResponse } from '../../../api/rerank.ts';
import { forKeys } from '../../audience.ts';
import { embeddingsRoute } from '../../routes/embeddings.ts';
import { rerankRoute } from '../../routes/rerank.ts';
import type { Dialect } from '../dialect.ts';
import { own } from '../own.ts';

/**
 * The routes of `/v1` with errors for Voyage's SDKs, below `/voyage`. Without `detail`, these can't tell a rate limit
 * from other errors, and never retry. They send no header by which `/v1` could recognize them.
 */
export const voyage: Dialect = {
  owns: (path) => path.startsWith('/voyage/'),
  error(error) {
    const { status, body } = own.error(error);
    return { status, body: { ...body, detail: error.message } };
  },
  routes(app, services) {
    embeddingsRoute(app, services, forKeys({ base: '/voyage/v1', hide: true }));
    rerankRoute(app, services, { url: '/voyage/v1/rerank', hide: true, view: rerankView });
  },
};

function rerankView(response: RerankResponse | object[]): object {
  if (Array.isArray(response)) return response;
  const { results, model, usage } = response;
  const data = results.map(({ document, ...result }) => ({ ...result, document: document?.text }));
  return { object: 'list', data, model, usage };
}
