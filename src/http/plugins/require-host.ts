import { ServiceError } from '../../errors.ts';
import type { App } from '../app-types.ts';

/** RFC 9112, section 3.2: a request of HTTP/1.1 without a Host header gets 400. */
export function requireHost(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, httpVersion } = request.raw;
    const isMissing = headers.host === undefined && httpVersion === '1.1';
    done(isMissing ? new ServiceError('invalid_request', 'The header host is missing') : undefined);
  });
}
