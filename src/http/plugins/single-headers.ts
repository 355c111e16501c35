import { ServiceError } from '../../errors.ts';
import type { App } from '../app-types.ts';
import { refuseRepeatedHeaders } from '../repeated-headers.ts';

/** Refuses a request that leaves open for whom it is, or who sends what: without a Host header, or with two of one that must be single. */
export function singleHeaders(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, httpVersion, rawHeaders } = request.raw;
    // RFC 9112, section 3.2: a request of HTTP/1.1 without one gets 400.
    if (headers.host === undefined && httpVersion === '1.1') {
      done(new ServiceError('invalid_request', 'The header host is missing'));
      return;
    }
    try {
      refuseRepeatedHeaders(rawHeaders);
      done();
    } catch (reason) {
      done(reason as Error);
    }
  });
}
