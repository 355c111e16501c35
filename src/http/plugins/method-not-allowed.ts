import { ServiceError } from '../../errors.ts';
import type { App } from '../app-types.ts';

/** A known path with another method is a 405 that says which methods there are. To be registered before the routes. */
export function methodNotAllowed(app: App): { finish(): void } {
  const methodsByUrl = new Map<string, Set<string>>();
  let finished = false;
  app.addHook('onRoute', ({ url, method }) => {
    if (finished) return;
    const methods = methodsByUrl.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByUrl.set(url, methods);
  });
  return {
    finish() {
      finished = true;
      for (const [url, methods] of methodsByUrl) {
        const others = app.supportedMethods.filter((name) => !methods.has(name));
        app.route({
          url,
          method: others,
          schema: { hide: true },
          handler: (request, reply) => {
            reply.header('allow', [...methods].join(', '));
            throw new ServiceError('method_not_allowed', `${request.method} is not supported here`);
          },
        });
      }
    },
  };
}
