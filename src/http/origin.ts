import type { FastifyRequest } from 'fastify';
import { invalidRequest, ServiceError } from '../errors.ts';

/** Returns the path and query that a request has inside the service, whether or not a proxy has taken `prefix` off. */
export function withoutPrefix(url: string, prefix: string): string {
  if (!url.startsWith(prefix)) return url;
  const rest = url.slice(prefix.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
}

/** Returns the service's origin as browsers reach it. */
export const originOf = (request: FastifyRequest, publicUrl: string | null): string =>
  new URL(addressOf(request, publicUrl)).origin;

/** Returns the service's address as browsers reach it: PUBLIC_URL, or the request's own protocol and host. */
export function addressOf(request: FastifyRequest, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl;
  // A trusted proxy can set the protocol to any text with X-Forwarded-Proto.
  if (request.protocol !== 'http' && request.protocol !== 'https') {
    throw invalidRequest('The header x-forwarded-proto must be http or https');
  }
  const url = URL.parse(`${request.protocol}://${request.host}`);
  if (!url || url.host === '') throw invalidRequest('The header host is not valid');
  return url.origin;
}

/** Maximum length of an origin in a message. Parsed origins have no control characters. */
const maxShownLength = 200;
const shown = (origin: string): string =>
  origin.length > maxShownLength ? `${origin.slice(0, maxShownLength)}…` : origin;

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses requests that another site's page may have sent with the browser's cookies. Throws `forbidden`. Browsers name
 * the page's origin in every request that changes something; programs that send a session cookie must do so too.
 */
export function refuseForeignOrigin(request: FastifyRequest, publicUrl: string | null): void {
  if (safeMethods.has(request.method)) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  const own = originOf(request, publicUrl);
  if (origin === own || (origin === undefined && site === 'same-origin')) return;
  const other = origin === undefined ? null : URL.parse(origin)?.origin;
  const here = shown(own);
  const there = shown(other ?? 'null');
  throw new ServiceError(
    'forbidden',
    there !== 'null'
      ? `A request with a session must come from ${here}, but this one came from ${there}. ` +
          `If people reach this service at ${there}, start it with PUBLIC_URL=${there}`
      : `A request with a session must come from ${here}: send "Origin: ${here}"`,
  );
}
