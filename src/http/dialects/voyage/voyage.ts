import { embeddingsRoute } from '../../routes/embeddings.ts';
import type { Dialect } from '../dialect.ts';
import { own } from '../own.ts';

/**
 * The route of `/v1` with errors for Voyage's SDKs, below `/voyage`. Without `detail`, these can't tell a rate limit from
 * other errors, and never retry. They send no header by which `/v1` could recognize them.
 */
export const voyage: Dialect = {
  owns: (path) => path.startsWith('/voyage/'),
  error(error) {
    const { status, body } = own.error(error);
    return { status, body: { ...body, detail: error.message } };
  },
  routes: (app, services) => embeddingsRoute(app, services, { url: '/voyage/v1/embeddings', hide: true }),
};
