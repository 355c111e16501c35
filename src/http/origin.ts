import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';

/** `https://host[:port]` of the service as browsers reach it: PUBLIC_URL, else what the request says. */
export function originOf(request: FastifyRequest, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl;
  // Behind a trusted proxy, the protocol is what X-Forwarded-Proto says.
  if (request.protocol !== 'http' && request.protocol !== 'https') {
    throw new ServiceError('invalid_request', 'The header x-forwarded-proto must be http or https');
  }
  const url = URL.parse(`${request.protocol}://${request.host}`);
  if (!url || url.host === '') throw new ServiceError('invalid_request', 'The header host is not valid');
  return url.origin;
}

/** Of an origin that a message repeats. One that was parsed has no control characters. */
const maxShownLength = 200;
const shown = (origin: string): string =>
  origin.length > maxShownLength ? `${origin.slice(0, maxShownLength)}…` : origin;

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses what another site's page may have sent with the browser's cookies. Browsers name the page's origin in each request
 * that changes something; whoever else sends a session's cookie has to name it too. Throws `forbidden`.
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
      ? `A request with a session must come from ${here}, and this one came from ${there}. ` +
          `If people reach this service at ${there}, start it with PUBLIC_URL=${there}`
      : `A request with a session must come from ${here}: send "Origin: ${here}"`,
  );
}
