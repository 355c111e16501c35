import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.ts';
import type { App } from '../app-types.ts';

/**
 * Answers what no route does: 405 for a known path with another method, which says the methods that there are; else 404. To be
 * registered before the routes.
 */
export function unknownRoute(app: App): void {
  const methodsByPattern = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    // The preflight requests of browsers, which ask about any path, make none of them known.
    if (url === '*') return;
    const methods = methodsByPattern.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByPattern.set(url, methods);
  });
  // Looked for when it is asked: routes for all the other methods would double what each start registers.
  const methodsAt = (path: string): string[] => {
    const matching = [...methodsByPattern].filter(([pattern]) => matches(pattern, path));
    return [...new Set(matching.flatMap(([, methods]) => [...methods]))];
  };

  const refuse = (request: FastifyRequest, reply: FastifyReply): ServiceError => {
    // A query may hold a key by mistake, so it is not repeated.
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = methodsAt(path);
    // A route may say itself that what was asked of it is not there.
    if (methods.length === 0 || methods.includes(request.method)) {
      return new ServiceError('not_found', `No route ${request.method} ${path.slice(0, 200)}`);
    }
    reply.header('allow', methods.join(', '));
    return new ServiceError('method_not_allowed', `${request.method} is not supported here`);
  };

  // Behind the hooks that put headers on every response, and before a body is read, which nobody needs.
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.is404) done(refuse(request, reply));
    else done(null, payload);
  });
  app.setNotFoundHandler((request, reply) => {
    throw refuse(request, reply);
  });
}

/** As the router matches: `:name` is one segment, `*` at the end whatever follows. */
function matches(pattern: string, path: string): boolean {
  const segments = path.split('/');
  const wanted = pattern.split('/');
  const isOpen = wanted.at(-1) === '*';
  if (isOpen) wanted.pop();
  if (isOpen ? segments.length <= wanted.length : segments.length !== wanted.length) return false;
  return wanted.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : segments[i] === part));
}
