import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app-types.ts';

/**
 * `/openapi.json` and `/docs`. What answers them is an application of its own, made by `build` at the first question: the
 * plugins that describe all routes would add a tenth to each start.
 */
export function descriptionRoutes(app: App, build: () => Promise<App>): void {
  let described: Promise<App> | undefined;
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<Buffer> => {
    described ??= build();
    const { statusCode, headers, rawPayload } = await (await described).inject({
      method: 'GET',
      url: request.url,
      headers: { 'x-request-id': request.id },
    });
    const { connection: _, ...own } = headers;
    reply.code(statusCode).headers(own);
    return rawPayload;
  };
  for (const url of ['/openapi.json', '/docs', '/docs/*']) app.get(url, { schema: { hide: true } }, answer);
  app.addHook('onClose', async () => (await described)?.close());
}
