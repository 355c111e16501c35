import { invalidRequest, type ServiceError } from '../../errors.ts';
import type { App } from '../app-types.ts';
import { isRepeated } from '../headers.ts';

const single = ['host', 'content-type', 'authorization', 'api-key', 'content-length'] as const;

/** Refuses requests without a Host header, and requests that repeat a header which must appear once. */
export function singleHeaders(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, httpVersion, rawHeaders } = request.raw;
    // RFC 9112, section 3.2.
    if (headers.host === undefined && httpVersion === '1.1') {
      done(invalidRequest('The header host is missing'));
      return;
    }
    done(repeatedHeader(rawHeaders));
  });
}

/**
 * Returns an error if a header that must appear once is repeated. Node uses the first one, but a proxy in front may
 * have used the last.
 */
function repeatedHeader(rawHeaders: readonly string[]): ServiceError | undefined {
  const repeated = single.find((name) => isRepeated(name, rawHeaders));
  return repeated && invalidRequest(`The header ${repeated} appears more than once`);
}
