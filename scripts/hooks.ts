import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config/config.ts';
import { openServices } from '../src/service/services.ts';
import { temporaryDirectory } from '../test/helpers/directory.ts';

// `npm run hooks`: every route with the hooks that its requests go through, in their order. A hook without a name has the
// place where it is added.

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  const { addHook } = fastify;
  fastify.addHook = function named(this: FastifyInstance, event: string, hook: () => void) {
    const [place] = /src\/[\w./-]+:\d+/.exec(new Error().stack ?? '') ?? [];
    if (hook.name === '' && place) Object.defineProperty(hook, 'name', { value: place });
    return addHook.call(this, event as 'onRequest', hook);
  } as typeof addHook;
});

using directory = temporaryDirectory();
const services = await openServices(readConfig({ DATA_DIR: directory.path }), { loadsModels: false });
const app = await buildApp(services);
await app.ready();
console.log(app.printRoutes({ includeHooks: true, commonPrefix: false }));
await app.close();
await services.close();
