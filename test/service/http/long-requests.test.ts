import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { untilEnd } from '../../helpers/until-end.ts';

// What a stranger sends without a key gets the response that its short form gets, however long it is.

/** Nearly as long as Node allows a request line and its headers to be. */
const length = 14_000;
/** The beginning of each path, and the part that is repeated after it. */
const paths: readonly (readonly [string, string])[] = [
  ['', '/a'],
  ['', '/:a'],
  ['', '/*'],
  ['', '/..'],
  ['', '/'],
  ['', '/v1'],
  ['', '/openai/v1'],
  ['/api', '/openai/v1'],
  ['/v1/organizations', '/a'],
  ['/v1/keys/', 'a'],
  ['/docs', '/%2e'],
  ['/assets', '/a'],
  ['/v1/embeddings?', 'a=b&'],
  ['/v1/embeddings?', '%41'],
];

describe('a long request without a key', async () => {
  const app = untilEnd(await listeningApp({ environment: { TRUSTED_PROXIES: '127.0.0.1' } }));
  /** Sends the path as it is: `fetch` would resolve its dots. */
  const ask = async (path: string, method = 'GET', headers: Record<string, string> = {}) => {
    const sent = request({ port: app.port, path, method, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, text: await text(response) };
  };

  for (const [start, part] of paths) {
    test(`is refused like a short one: ${start}${part.repeat(3)}…`, async () => {
      const long = start + part.repeat(Math.floor((length - start.length) / part.length));
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status, text: body } = await ask(long, method);
        assert.ok([400, 401, 404, 405, 414].includes(status), `${method}: ${status}`);
        assert.ok(body.length < 400, `${method}: a response of ${body.length} characters`);
      }
    });
  }

  test('is served if only its forwarded addresses are many, and its client is the last of them', async () => {
    for (const list of [','.repeat(length), '1.1.1.1,'.repeat(length / 8), ', '.repeat(length / 2)]) {
      const headers = { 'x-forwarded-for': `${list}203.0.113.9` };
      assert.equal((await ask('/health', 'GET', headers)).status, 200);
      assert.equal((await ask('/v1/usage', 'GET', headers)).status, 401);
    }
  });

  test('lets others go first if it is one of thousands on a connection, which is closed beyond 4,096 or 256 KiB', async () => {
    const pipeline = (count: number, header = '') => {
      const socket = connect(app.port, '127.0.0.1').setEncoding('latin1');
      socket.write(`GET /none HTTP/1.1\r\nhost: x\r\n${header}\r\n`.repeat(count));
      socket.on('error', () => {});
      return socket;
    };
    const socket = pipeline(4_000);
    let answered = 0;
    socket.on('data', (part) => {
      answered += part.toString().split('HTTP/1.1 404').length - 1;
    });
    await once(socket, 'data');
    assert.equal((await ask('/health')).status, 200);
    assert.ok(answered < 2_000, `${answered} responses before another client's`);
    await eventually(async () => answered === 4_000);
    socket.destroy();
    const isClosed = (one: Socket) => new Promise((resolve) => one.resume().on('close', resolve));
    await isClosed(pipeline(10_000));
    await isClosed(pipeline(100, `a: ${'b'.repeat(length)}\r\n`));
  });
});
