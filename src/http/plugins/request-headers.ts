import { invalidRequest } from '../../errors.ts';
import type { App } from '../app-types.ts';
import { isRepeated } from '../headers.ts';

const single = ['host', 'content-type', 'authorization', 'api-key', 'content-length'] as const;

/**
 * Refuses requests without a Host header, and requests that repeat a header which must appear once: Node uses the first
 * one, but a proxy in front may have used the last. A body without a type is JSON.
 */
export function requestHeaders(app: App): void {
  app.addHook('onRequest', ({ raw: { headers, httpVersion, rawHeaders }, routeOptions }, _reply, done) => {
    // RFC 9112, section 3.2.
    if (headers.host === undefined && httpVersion === '1.1') {
      done(invalidRequest('The header host is missing'));
      return;
    }
    const isEachOnce = 2 * Object.keys(headers).length === rawHeaders.length;
    const repeated = isEachOnce ? undefined : single.find((name) => isRepeated(name, rawHeaders));
    // Some clients state no type of their body, such as LiteLLM's for Voyage (RFC 9110, section 8.3).
    if (routeOptions.schema?.body) headers['content-type'] ||= 'application/json';
    done(repeated && invalidRequest(`The header ${repeated} appears more than once`));
  });
}
