import type { FastifyReply, FastifyRequest } from 'fastify';
import { lazily } from '../lib/lazily.ts';
import type { App } from './app-types.ts';

/**
 * Answers these paths by an application of its own, made by `build` at the first question: what only people ask for must
 * not lengthen each start.
 */
export function lazyApp(app: App, urls: readonly string[], build: () => Promise<App>): void {
  const built = lazily(build);
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<Buffer> => {
    const { statusCode, headers, rawPayload } = await (await built.get()).inject({
      method: 'GET',
      url: request.url,
      headers: { ...request.headers, 'x-request-id': request.id },
    });
    const { connection: _, ...own } = headers;
    reply.code(statusCode).headers(own);
    return rawPayload;
  };
  for (const url of urls) app.get(url, { schema: { hide: true } }, answer);
  app.addHook('onClose', async () => (await built.loaded())?.close());
}
