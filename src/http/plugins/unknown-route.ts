import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound, ServiceError } from '../../errors.ts';
import type { App } from '../app-types.ts';

/**
 * Responds to requests without a route: 405 with the allowed methods if the path has a route for another method,
 * otherwise 404. Must be registered before the routes.
 */
export function unknownRoute(app: App): void {
  const patterns = new Map<string, Pattern>();
  let mostSegments = 0;
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = patterns.get(url) ?? { wanted: url.split('/'), methods: new Set() };
    for (const name of [method].flat()) pattern.methods.add(name);
    patterns.set(url, pattern);
    mostSegments = Math.max(mostSegments, pattern.wanted.length);
  });
  const methodsAt = (path: string): string[] => {
    // No pattern needs more, and a client decides how many there are.
    const segments = path.split('/', mostSegments + 1);
    const matching = [...patterns.values()].filter(({ wanted }) => matches(wanted, segments));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))];
  };

  const refuse = (request: FastifyRequest, reply: FastifyReply): ServiceError => {
    // The query is left out, since it may contain a key by mistake.
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = methodsAt(path);
    // The route of a file calls the handler itself if the file does not exist.
    if (methods.length === 0 || methods.includes(request.method)) {
      const others = path.length > longestMeant ? [] : pathsLike(path);
      const meant = others.find((other) => methodsAt(other).includes(request.method));
      const hint = meant
        ? `. The route is ${meant}: check the base URL of the client`
        : ofChat.test(path)
          ? '. Embedgate serves embeddings, no chat'
          : '';
      return notFound(`No route ${request.method} ${path.slice(0, longestMeant)}${hint}`);
    }
    reply.header('allow', methods.join(', '));
    return new ServiceError('method_not_allowed', `${request.method} is not supported here`);
  };

  // The router takes nothing between two slashes for an id, which the hooks of routes would look up.
  app.addHook('onRequest', (request, reply, done) => {
    const { access } = request.routeOptions.config;
    done(access && Object.values(request.params as object).includes('') ? refuse(request, reply) : undefined);
  });
  // Runs after the hooks that add headers to every response or show a page, and before the body is read.
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.is404) done(refuse(request, reply));
    else done(null, payload);
  });
  app.setNotFoundHandler((request, reply) => {
    throw refuse(request, reply);
  });
}

/** Longer than any path that a client writes by mistake, in characters. */
const longestMeant = 200;
/** What clients of OpenAI's, Anthropic's and Ollama's APIs request to write a text. */
const ofChat = /\/(chat|completions|responses|messages|generate)\/?$/;

/** Returns what a client meant whose base URL has no `/v1`, has it twice, has `/api` before it or ends in a slash. */
function pathsLike(path: string): string[] {
  const once = path
    // Further on, an id is missing.
    .replace(/^\/+|(?<=\/(?:v1|api|openai|voyage))\/+/g, '/')
    .replace(/\/$/, '')
    .replace(/(\/v1)+(?=\/)/, '/v1');
  return [
    once,
    `/v1${once}`,
    once.replace(/^\/api\//, '/'),
    once.replace(/^\/(openai|voyage)\//, '/$1/v1/'),
  ].filter((other) => other !== path);
}

interface Pattern {
  /** The segments of a route's path. */
  readonly wanted: readonly string[];
  readonly methods: Set<string>;
}

/** Matches like the router: `:name` is one segment, and `*` at the end is the rest of the path. */
function matches(wanted: readonly string[], segments: readonly string[]): boolean {
  const isOpen = wanted.at(-1) === '*';
  if (isOpen ? segments.length < wanted.length : segments.length !== wanted.length) return false;
  return wanted.every((part, i) =>
    part.startsWith(':') ? segments[i] !== '' : part === '*' || segments[i] === part,
  );
}
