import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { type Bucket, openBucketPieces } from '../../../src/files/bucket-pieces.ts';
import { piecesContract } from '../../contracts/pieces.ts';

type Failure = readonly [status: number, body: string];
const fault = (status: number, code: string): Failure => [status, `<Error><Code>${code}</Code></Error>`];
const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'hunter2', sessionToken: null, region: null };

/** Serves objects over HTTP, without checking signatures: `npm run test:clients -- s3` does. */
async function fakeBucket() {
  const objects = new Map<string, Buffer>();
  /** What the next requests get instead; null: the connection is closed. */
  const failures: (Failure | null)[] = [];
  const requests: { method: string; path: string; headers: NodeJS.Dict<string | string[]> }[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const content = Buffer.concat(await request.toArray());
    requests.push({ method, path, headers });
    const failure = failures.shift();
    if (failure === null) return request.socket.destroy();
    const [status, body] =
      failure ?? (method !== 'GET' || objects.has(path) ? [200, objects.get(path)] : fault(404, 'NoSuchKey'));
    if (!failure && method === 'PUT') objects.set(path, content);
    if (!failure && method === 'DELETE') objects.delete(path);
    return response.writeHead(status).end(method === 'GET' || failure ? body : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket/prefix`;
  const open = (changes: Partial<Bucket> = {}) => openBucketPieces({ url, ...keys, ...changes });
  return {
    objects,
    failures,
    requests,
    open,
    async close() {
      server.closeAllConnections();
      server.close();
    },
    async [Symbol.asyncDispose]() {
      await this.close();
    },
  };
}

piecesContract('a bucket', async () => {
  const bucket = await fakeBucket();
  return { pieces: await bucket.open(), close: bucket.close };
});

describe('pieces in a bucket', () => {
  it('are tried when the bucket is opened, and that leaves nothing behind', async () => {
    await using bucket = await fakeBucket();
    await bucket.open();
    assert.deepEqual(
      bucket.requests.map(({ method, path }) => `${method} ${path}`),
      ['PUT /bucket/prefix/check', 'GET /bucket/prefix/check', 'DELETE /bucket/prefix/check'],
    );
    assert.equal(bucket.objects.size, 0);
  });

  it('are requested with the region and the token of the settings', async () => {
    await using bucket = await fakeBucket();
    await bucket.open({ region: 'eu-central-1', sessionToken: 'a-token' });
    const { headers } = bucket.requests[0]!;
    assert.match(
      String(headers.authorization),
      /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-central-1\/s3\//,
    );
    assert.equal(headers['x-amz-security-token'], 'a-token');
  });

  it('are requested again after a closed connection, 429 and 5xx, three times in all', async () => {
    await using bucket = await fakeBucket();
    const pieces = await bucket.open();
    bucket.failures.push(null, fault(429, 'TooManyRequests'));
    await pieces.put('a', Buffer.from('content'));
    assert.equal(String(bucket.objects.get('/bucket/prefix/a')), 'content');
    bucket.failures.push(...Array.from({ length: 3 }, () => fault(503, 'SlowDown')));
    await assert.rejects(pieces.get('a'), /^Error: the bucket returned 503 SlowDown$/);
    assert.equal(bucket.failures.length, 0);
    bucket.failures.push(null, null, null);
    await assert.rejects(pieces.get('a'), /^TypeError: fetch failed$/);
    assert.equal(String(Buffer.from((await pieces.get('a'))!)), 'content');
  });

  it('are requested once if the bucket refuses, and the error has its status, its code and no secret', async () => {
    await using bucket = await fakeBucket();
    const pieces = await bucket.open();
    for (const [failure, message] of [
      [fault(403, 'AccessDenied'), 'the bucket returned 403 AccessDenied'],
      [fault(404, 'NoSuchBucket'), 'the bucket returned 404 NoSuchBucket'],
      [fault(301, 'PermanentRedirect'), 'the bucket returned 301 PermanentRedirect'],
      [[404, '<html>not S3</html>'], 'the bucket returned 404 without a code'],
    ] as const) {
      for (const call of [
        () => pieces.put('a', Buffer.from('a')),
        () => pieces.get('a'),
        () => pieces.delete('a'),
      ]) {
        bucket.failures.push(failure);
        await assert.rejects(call(), (reason) => {
          assert.equal((reason as Error).message, message);
          return !/hunter2|AKIAEXAMPLE/.test(inspect(reason));
        });
        assert.equal(bucket.failures.length, 0);
      }
    }
  });

  it('are not stored if the response to a PUT is that there is no such object', async () => {
    await using bucket = await fakeBucket();
    const pieces = await bucket.open();
    bucket.failures.push(fault(404, 'NoSuchKey'));
    await assert.rejects(pieces.put('a', Buffer.from('a')), /404 NoSuchKey$/);
    bucket.failures.push(fault(404, 'NoSuchKey'));
    await pieces.delete('a');
  });

  it('a bucket that can’t be used is a wrong setting', async () => {
    await using bucket = await fakeBucket();
    bucket.failures.push(fault(403, 'SignatureDoesNotMatch'));
    await assert.rejects(bucket.open(), {
      name: 'ConfigError',
      message: 'FILES_URL: the bucket returned 403 SignatureDoesNotMatch',
    });
    await assert.rejects(bucket.open({ url: 'http://127.0.0.1:9/bucket' }), {
      name: 'ConfigError',
      message: /^FILES_URL: fetch failed( \(bad port\))?$/,
    });
  });
});
