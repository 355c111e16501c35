import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { missingTool, startPlainProxy } from '../../deploy/proxies.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePorts } from '../../helpers/free-port.ts';
import { rawExchange } from '../../helpers/raw-http.ts';
import { untilEnd } from '../../helpers/until-end.ts';

// docs/security.md says which lines of deploy/ guard against clients that are slow, idle or endless. Each line stands here
// with a shorter time or a lower bound, or unchanged, so that the test fails without it.

const changesOf = {
  caddy: [
    ['read_header 10s', 'read_header 1s'],
    ['idle 75s', 'idle 1s'],
    ['max_header_size 16KB', 'max_header_size 16KB'],
  ],
  nginx: [
    ['client_header_timeout 10s;', 'client_header_timeout 1s;'],
    ['client_body_timeout 60s;', 'client_body_timeout 1s;'],
    ['send_timeout 60s;', 'send_timeout 1s;'],
    ['keepalive_timeout 75s;', 'keepalive_timeout 1s;'],
    ['limit_conn embedgate_addresses 1024;', 'limit_conn embedgate_addresses 2;'],
    ['large_client_header_buffers 4 8k;', 'large_client_header_buffers 4 8k;'],
    ['client_max_body_size 513m;', 'client_max_body_size 6m;'],
  ],
} as const;

const last = 'Connection: close\r\n';

for (const name of ['caddy', 'nginx'] as const) {
  describe(`what ${name} keeps away, as deploy/ configures it`, { skip: missingTool(name) }, async () => {
    let handle: RequestListener = (_request, response) => response.end('ok');
    const upstream = createServer((request, response) => {
      if (request.url === '/ready') response.end();
      else handle(request, response);
    });
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    untilEnd({
      async [Symbol.asyncDispose]() {
        upstream.closeAllConnections();
        upstream.close();
      },
    });
    const directory = untilEnd(temporaryDirectory());
    const [port = 0] = await freePorts(1);
    untilEnd(
      await startPlainProxy(name, {
        directory: directory.path,
        port,
        upstreams: [`127.0.0.1:${(upstream.address() as AddressInfo).port}`],
        changes: changesOf[name],
      }),
    );

    const host = `Host: 127.0.0.1:${port}\r\n`;
    const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${host}${more}\r\n`;
    const chunked = (path: string) => `POST ${path} HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`;
    const open = async (): Promise<Socket> => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      return socket;
    };

    test('headers that never end, and idle connections', async () => {
      await rawExchange(port, 'GET / HTTP/1.1\r\nHost:');
      assert.match(await rawExchange(port, get('/')), /^HTTP\/1.1 200 /);
    });

    test('headers that are too large', async () => {
      const answer = await rawExchange(port, get('/', `X-Large: ${'a'.repeat(40_000)}\r\n`));
      assert.match(answer, /^HTTP\/1.1 4(00|31) /);
    });

    test('more than one pipelined request at a time', async () => {
      let atWork = 0;
      let most = 0;
      handle = async (_request, response) => {
        atWork += 1;
        most = Math.max(most, atWork);
        await setTimeout(5);
        atWork -= 1;
        response.end('ok');
      };
      const answer = await rawExchange(port, get('/').repeat(20) + get('/', last));
      assert.equal(answer.match(/HTTP\/1.1 200 /g)?.length, 21);
      assert.equal(most, 1);
    });

    for (const path of ['/v1/nowhere', '/v1/files']) {
      test(`a body to ${path} that goes on behind its refusal`, async () => {
        handle = (_request, response) => void response.writeHead(404).end();
        const socket = await open();
        socket.resume();
        socket.write(chunked(path));
        const chunk = `10000\r\n${'a'.repeat(1 << 16)}\r\n`;
        await eventually(() => {
          socket.write(chunk.repeat(16));
          return socket.destroyed;
        });
      });
    }

    for (const path of ['/v1/embeddings', '/v1/files']) {
      test(`a body to ${path} in tiny chunks`, async () => {
        let chunks = 0;
        handle = async (request, response) => {
          for await (const _ of request) chunks += 1;
          response.end();
        };
        const head = chunked(path).replace('\r\n\r\n', `\r\n${last}\r\n`);
        const answer = await rawExchange(port, `${head}${'1\r\na\r\n'.repeat(60_000)}0\r\n\r\n`);
        assert.match(answer, /^HTTP\/1.1 200 /);
        assert.ok(chunks < 1_000, `${chunks} of 60,000`);
      });
    }

    if (name === 'caddy') return;

    test('a body that stalls', async () => {
      assert.doesNotMatch(await rawExchange(port, `${chunked('/')}5\r\na`), / 200 /);
    });

    test('a client that does not read', async () => {
      const closed = Promise.withResolvers<boolean>();
      handle = (_request, response) => {
        response.once('close', () => closed.resolve(response.writableFinished));
        response.end(Buffer.alloc(64 << 20));
      };
      const socket = await open();
      socket.pause();
      // Other responses wait in files.
      socket.write(get('/v1/files/a/content'));
      assert.equal(await closed.promise, false);
      socket.destroy();
    });

    test('too many requests at a time from one address', async () => {
      handle = () => {};
      const sockets = [await open(), await open()];
      const arrived = once(upstream, 'request');
      for (const socket of sockets) socket.write(get('/'));
      await arrived;
      await eventually(async () => / 429 /.test(await rawExchange(port, get('/', last))));
      for (const socket of sockets) socket.destroy();
    });
  });
}
