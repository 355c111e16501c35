import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lazily } from '../lib/lazily.ts';
import type { App } from './app-types.ts';

export type LazyHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Has these paths answered by an application of its own, made by `build` at the first question: what only people ask for must
 * not lengthen each start. It responds to the client itself, so that files are read no faster than the client reads them. Returns what has any other request answered by it.
 */
export function lazyApp(app: App, urls: readonly string[], build: () => Promise<App>): LazyHandler {
  const built = lazily(async () => {
    const made = await build();
    await made.ready();
    return made;
  });
  const answer: LazyHandler = async (request, reply) => {
    const made = await built.get();
    // Of responses that were asked for one after the other, only the first may open a file.
    if (!reply.raw.socket) await once(reply.raw, 'socket');
    request.raw.headers['x-request-id'] = request.id;
    reply.hijack();
    made.routing(request.raw, reply.raw);
  };
  for (const url of urls) app.get(url, { schema: { hide: true } }, answer);
  app.addHook('onClose', async () => (await built.loaded())?.close());
  return answer;
}
