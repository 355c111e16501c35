import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../../errors.ts';
import type { App } from '../app-types.ts';

/** JSON bodies, strictly: UTF-8 that is none is an error, not text with replacement characters in it. */
export function jsonBody(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    try {
      done(null, parse(body));
    } catch (reason) {
      done(reason as Error);
    }
  });
}

function parse(body: Buffer): unknown {
  if (body.length === 0) throw new ServiceError('invalid_request', 'The body is empty');
  if (!isUtf8(body)) throw new ServiceError('invalid_request', 'The body is not valid UTF-8');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // V8's own message quotes the body, which may hold anything.
    throw new ServiceError('invalid_request', 'The body is not valid JSON');
  }
}
