import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { rawExchange } from '../../helpers/raw-http.ts';

// A proxy in front may see the end of a request elsewhere than Node does. The service refuses every ambiguous
// request, and does not take the bytes after it for another request.

describe('requests with an ambiguous end', () => {
  let app: ListeningApp;
  before(async () => {
    app = await listeningApp();
  });
  after(() => app[Symbol.asyncDispose]());

  const second = 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n';
  const bodies: Record<string, string> = {
    'a length and chunks': `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
    'two lengths': `Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}   ${second}`,
    'a length that is not a number': `Content-Length: 2, 5\r\n\r\n{}   ${second}`,
    'a signed length': `Content-Length: +2\r\n\r\n{}${second}`,
    'chunks that are not the last encoding': `Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n${second}`,
    'an encoding in disguise': `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${second}`,
    'a space before the colon': `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${second}`,
    'a folded header': `X: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}${second}`,
    'a bare line feed': `Content-Length: 2\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
  };
  for (const [what, rest] of Object.entries(bodies)) {
    test(`a request with ${what} gets a single response, an error`, async () => {
      const received = await rawExchange(
        app.port,
        `POST /v1/auth/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${rest}`,
      );
      assert.equal(received.match(/HTTP\/1\.1 /g)?.length, 1, received.slice(0, 500));
      assert.match(received, /^HTTP\/1\.1 400 /);
      assert.doesNotMatch(received, /embedgate_requests_total/);
    });
  }
});
