import type { FastifyRequest } from 'fastify';
import type { App } from '../app-types.ts';
import type { LazyHandler } from '../lazy-app.ts';

/** Shows the dashboard's own page, with status 404, to a browser that asks for a page that does not exist. */
export function unknownPage(app: App, show: LazyHandler): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 && isForPage(request)) await show(request, reply);
  });
}

/** Programs ask for JSON or for anything. Below `/v1/` is the API alone, and a name with a dot is a file's. */
function isForPage({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const path = url.split('?', 1)[0] ?? '';
  const isPage = !path.startsWith('/v1/') && !path.slice(path.lastIndexOf('/')).includes('.');
  return isPage && (headers.accept?.includes('text/html') ?? false);
}
