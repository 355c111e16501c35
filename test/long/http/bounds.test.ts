import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Bounds } from '../../../src/config/config.ts';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { eventually, eventuallyHolds } from '../../helpers/eventually.ts';
import { rawExchange } from '../../helpers/raw-http.ts';
import { metricOf, requestEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const lastGet = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
/** The largest page. */
const largest = '/docs';

async function open(app: Pick<ListeningApp, 'port'>): Promise<Socket> {
  const socket = connect(app.port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** The headers of a request for embeddings, with only the beginning of its body. */
function unfinished(key: string, sentBytes: number): string {
  return (
    'POST /v1/embeddings HTTP/1.1\r\nHost: x\r\n' +
    `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${sentBytes + 10}\r\n\r\n` +
    `{"input": "${'a'.repeat(sentBytes - 11)}`
  );
}

async function otherKey({ services }: ListeningApp, userId: string): Promise<string> {
  const { orgId } = await services.organizations.create({ name: 'Another' });
  return (await services.keys.create({ orgId, userId, name: 'another' })).secret;
}

const reached = (app: ListeningApp, bound: string) =>
  metricOf(app, `embedgate_bound_reached_total{bound="${bound}"}`);

const appWith = (bounds: Partial<Bounds>, environment: Record<string, string> = {}) =>
  listeningApp({ bounds, environment });

describe('bounds on connections', () => {
  test('MAX_CONNECTIONS_PER_ADDRESS: one more connection gets 503 until another ends, if none may wait', async () => {
    await using app = await appWith({ maxConnectionsPerAddress: 3, maxHeldBytes: 0 });
    const sockets = [await open(app), await open(app), await open(app)];
    const refused = await rawExchange(app.port, get('/health'));
    assert.match(refused, /^HTTP\/1.1 503 Service Unavailable\r\n/);
    assert.match(refused, /\r\nretry-after: 1\r\n/);
    assert.match(
      refused,
      /\{"error":"overloaded","message":"This address has 3 connections open, which is the maximum \(MAX_CONNECTIONS_PER_ADDRESS, or TRUSTED_PROXIES if it is your proxy\), and too many that wait\. /,
    );
    sockets[0]?.destroy();
    await eventuallyHolds(async () => {
      assert.match(await rawExchange(app.port, lastGet('/health')), /^HTTP\/1.1 200 /);
    });
    for (const socket of sockets) socket.destroy();
    await eventuallyHolds(async () => assert.ok((await reached(app, 'MAX_CONNECTIONS_PER_ADDRESS')) >= 1));
  });

  test('MAX_CONNECTIONS_PER_ADDRESS: the log names the bound and the address once, and Health counts', async () => {
    await using service = await startService({
      environment: { MAX_CONNECTIONS: '12', MAX_CONNECTIONS_PER_ADDRESS: '2' },
    });
    const port = Number(new URL(service.address).port);
    // Two, and nine that wait.
    const sockets: Socket[] = [];
    while (sockets.length < 11) sockets.push(await open({ port }));
    for (let i = 0; i < 3; i++) assert.match(await rawExchange(port, get('/health')), /^HTTP\/1.1 503 /);
    for (const socket of sockets) socket.destroy();
    const lines = service
      .stderr()
      .split('\n')
      .filter((line) => line.includes('a bound was reached'));
    const [{ level, bound, client }] = lines.map((line) => JSON.parse(line)) as [Record<string, unknown>];
    assert.deepEqual(
      [lines.length, level, bound, client],
      [1, 40, 'MAX_CONNECTIONS_PER_ADDRESS', 'address 127.0.0.1'],
    );
    await eventuallyHolds(async () => {
      const browser = await new Browser(service.address).signIn(service.administrator);
      const { data } = await browser.ask<{ data: { name: string; value: unknown }[] }>(
        200,
        'GET',
        '/v1/service',
      );
      assert.ok(Number(data.find(({ name }) => name === 'address_refusals')?.value) >= 3);
    });
  });

  test('MAX_CONNECTIONS_PER_ADDRESS: further connections wait for others, and idle ones end for them', async () => {
    await using app = await appWith({ maxConnectionsPerAddress: 2, maxHeldBytes: 4 * 65_536 });
    const kept = await open(app);
    kept.write(get('/health'));
    await once(kept, 'data');
    const [busy, waiting] = [await open(app), await open(app)];
    await once(kept, 'close');
    const last = await open(app);
    last.write(lastGet('/health'));
    waiting.write(lastGet('/health'));
    assert.match(await text(waiting), /^HTTP\/1.1 200 /);
    assert.match(await text(last), /^HTTP\/1.1 200 /);
    // Clients that leave while they wait keep no place, and those that reset their connection end nothing else.
    for (let i = 0; i < 4; i += 1) (await open(app)).destroy();
    for (let i = 0; i < 40; i += 1) (await open(app)).resetAndDestroy();
    busy.destroy();
    await eventuallyHolds(async () => {
      assert.match(await rawExchange(app.port, lastGet('/health')), /^HTTP\/1.1 200 /);
    });
  });

  test('only MAX_CONNECTIONS bounds a trusted proxy', async () => {
    await using app = await appWith(
      { maxConnections: 4, maxConnectionsPerAddress: 2 },
      { TRUSTED_PROXIES: '127.0.0.0/8' },
    );
    const sockets = [await open(app), await open(app), await open(app)];
    assert.match(await rawExchange(app.port, lastGet('/health')), /^HTTP\/1.1 200 /);
    // The service sees the end of that connection later than its client.
    await eventually(() => app.services.load.connections === sockets.length);
    sockets.push(await open(app));
    await eventually(() => app.services.load.connections === sockets.length);
    assert.equal(await rawExchange(app.port, lastGet('/health')).catch(() => ''), '');
    for (const socket of sockets) socket.destroy();
    await eventuallyHolds(async () => assert.ok((await reached(app, 'MAX_CONNECTIONS')) >= 1));
  });

  test('IDLE_TIMEOUT_SECONDS: a client that does not read, and sends nothing, is disconnected', async () => {
    await using app = await appWith({ idleTimeoutMs: 300 });
    const socket = await open(app);
    socket.pause();
    // More than the operating system buffers for a client that doesn't read.
    socket.write(get(largest).repeat(50));
    await eventually(() => app.services.load.requests > 0);
    await eventually(() => app.services.load.requests === 0 && app.services.load.connections === 0);
    socket.destroy();
  });

  test('IDLE_TIMEOUT_SECONDS: an idle connection ends, unless it is that of a trusted proxy', async () => {
    for (const TRUSTED_PROXIES of ['', '127.0.0.1']) {
      await using app = await appWith({ idleTimeoutMs: 300 }, { TRUSTED_PROXIES });
      const socket = await open(app);
      const ended = new Promise((resolve) => socket.resume().once('close', () => resolve('closed')));
      socket.write(get('/health'));
      // Node closes a connection a second later than it is idle.
      const outcome = await Promise.race([ended, setTimeout(4_000, 'open')]);
      assert.equal(outcome, TRUSTED_PROXIES === '' ? 'closed' : 'open');
      socket.destroy();
    }
  });

  test('HEADER_TIMEOUT_SECONDS and BODY_TIMEOUT_SECONDS: a slow client gets 408', async () => {
    await using app = await appWith({ headerTimeoutMs: 1_000, bodyTimeoutMs: 2_000 });
    assert.match(await rawExchange(app.port, 'GET /health HTTP/1.1\r\nHost:'), /^HTTP\/1.1 408 /);
    assert.match(await rawExchange(app.port, unfinished(app.key, 100)), /^HTTP\/1.1 408 /);
    // Not by a request, which could be too slow itself.
    const { reached } = app.services.load;
    assert.equal(reached.get('HEADER_TIMEOUT_SECONDS'), 1);
    assert.equal(reached.get('BODY_TIMEOUT_SECONDS'), 1);
  });

  test('BODY_TIMEOUT_SECONDS: an upload may take longer while 64 KiB of it arrive in that time', async () => {
    await using app = await appWith({ bodyTimeoutMs: 1_000 });
    const chunk = (content: string) => `${content.length.toString(16)}\r\n${content}\r\n`;
    const part = (name: string, content: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}`;
    const upload = async (count: number, end: string): Promise<string> => {
      const socket = await open(app);
      const received = text(socket);
      socket.write(
        `POST /v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.key}\r\nConnection: close\r\n` +
          'Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n' +
          chunk(`${part('purpose', 'batch')}\r\n${part('file"; filename="f', '')}`),
      );
      for (let i = 0; i < count; i++) {
        socket.write(chunk('a'.repeat(1 << 15)));
        await setTimeout(100);
      }
      socket.write(end);
      return received;
    };
    assert.match(await upload(25, `${chunk('\r\n--b--\r\n')}0\r\n\r\n`), /^HTTP\/1.1 200 /);
    assert.match(await upload(1, ''), /^HTTP\/1.1 408 [\s\S]*\r\nconnection: close\r\n/);
  });
});

describe('bounds on what an organization holds', () => {
  test('MAX_REQUESTS_PER_ORGANIZATION: only that organization, or that address without a key, gets 429', async () => {
    await using app = await appWith({ maxRequestsPerOrganization: 2 });
    const other = await otherKey(app, app.administrator.userId);
    // The key is then known, so both requests are counted when they arrive. Otherwise the third could take a place.
    assert.equal((await requestEmbeddings(app.address, app.key, 'first')).status, 200);
    const sockets = [await open(app), await open(app)];
    for (const socket of sockets) socket.write(unfinished(app.key, 100));
    await eventually(() => app.services.load.requests === sockets.length);
    const refused = await requestEmbeddings(app.address, app.key, 'third');
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
    assert.match(
      ((await refused.json()) as { message: string }).message,
      /^This organization has 2 requests in progress, which is the maximum \(MAX_REQUESTS_PER_ORGANIZATION\)/,
    );
    assert.equal((await requestEmbeddings(app.address, other, 'of another')).status, 200);
    for (const socket of sockets) socket.destroy();
    await eventuallyHolds(async () => {
      assert.equal((await requestEmbeddings(app.address, app.key, 'fourth')).status, 200);
    });
    assert.ok((await reached(app, 'MAX_REQUESTS_PER_ORGANIZATION')) >= 1);

    // It bounds an address without a key too, except for its status requests.
    const body = (length: number) =>
      `POST /v1/auth/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`;
    const others = await Promise.all(Array.from({ length: 2 }, () => open(app)));
    for (const socket of others) socket.write(body(100));
    await eventually(() => app.services.load.requests === others.length);
    const answer = await rawExchange(
      app.port,
      body(100).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    );
    assert.match(answer, /^HTTP\/1.1 429 /);
    assert.match(answer, /This address has 2 requests in progress/);
    assert.match(await rawExchange(app.port, lastGet('/health')), /^HTTP\/1.1 200 /);
    for (const socket of others) socket.destroy();
  });

  test('MAX_HELD_MB_PER_ORGANIZATION counts responses and the parts of bodies that have arrived, and releases them', async () => {
    await using app = await appWith({ maxHeldBytesPerOrganization: 100_000 });
    const other = await otherKey(app, app.administrator.userId);
    const socket = await open(app);
    socket.write(unfinished(app.key, 90_000));
    // Otherwise the next request could take the room, and this one would be refused.
    await eventually(() => app.services.load.heldBytes >= 90_000);
    const refused = await requestEmbeddings(app.address, app.key, 'b'.repeat(20_000));
    assert.equal(refused.status, 429);
    assert.match(
      ((await refused.json()) as { message: string }).message,
      /have reached their maximum total size \(MAX_HELD_MB_PER_ORGANIZATION\)/,
    );
    assert.equal((await requestEmbeddings(app.address, other, 'c'.repeat(20_000))).status, 200);
    socket.destroy();
    await eventuallyHolds(async () => {
      assert.equal((await requestEmbeddings(app.address, app.key, 'd'.repeat(20_000))).status, 200);
    });
    await eventuallyHolds(async () => assert.equal(await metricOf(app, 'embedgate_held_bytes'), 0));
    assert.ok((await reached(app, 'MAX_HELD_MB_PER_ORGANIZATION')) >= 1);

    // A response counts before it is built.
    const texts = Array.from({ length: 40 }, (_, i) => `text ${i}`);
    assert.equal((await requestEmbeddings(app.address, app.key, texts)).status, 429);
    assert.equal((await requestEmbeddings(app.address, app.key, texts.slice(0, 10))).status, 200);
  });

  test('MAX_HELD_MB: an organization above its share gets 503, and another one is served', async () => {
    await using app = await appWith({ maxHeldBytes: 100_000 });
    const other = await otherKey(app, app.administrator.userId);
    const socket = await open(app);
    socket.write(unfinished(app.key, 40_000));
    await eventually(() => app.services.load.heldBytes >= 40_000);
    const refused = await requestEmbeddings(app.address, app.key, 'b'.repeat(20_000));
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1']);
    assert.equal((await requestEmbeddings(app.address, other, 'c'.repeat(10_000))).status, 200);
    socket.destroy();
    await eventuallyHolds(async () => {
      assert.equal((await requestEmbeddings(app.address, app.key, 'd'.repeat(20_000))).status, 200);
    });
    await eventuallyHolds(async () => assert.equal(await metricOf(app, 'embedgate_held_bytes'), 0));
    assert.ok((await reached(app, 'MAX_HELD_MB')) >= 1);
  });
});

describe('bounds on the work of the database', async () => {
  const app = untilEnd(await appWith({ maxRequestsAtWork: 2 }));
  const keysOf = (app: ListeningApp) =>
    `GET /v1/organizations/${app.orgId}/keys?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.key}\r\n`;

  test('MAX_REQUESTS_AT_WORK: a client that does not read delays only itself', async () => {
    const userId = app.administrator.userId;
    for (let i = 0; i < 150; i++) {
      await app.services.keys.create({ orgId: app.orgId, userId, name: '鍵'.repeat(200) });
    }
    const other = await otherKey(app, userId);
    const sockets = await Promise.all(Array.from({ length: 4 }, () => open(app)));
    for (const socket of sockets) {
      socket.pause();
      // More than the operating system buffers for a client that doesn't read.
      socket.write(`${keysOf(app)}\r\n`.repeat(200));
    }
    await eventuallyHolds(async () => {
      assert.equal(await metricOf(app, 'embedgate_requests_in_progress'), 1 + sockets.length);
      // Two responses of about 100 KiB.
      const heldBytes = await metricOf(app, 'embedgate_held_bytes');
      assert.ok(heldBytes > 0 && heldBytes < 1 << 20, `${heldBytes} bytes are held`);
    });
    const usage = await fetch(`${app.address}/v1/usage`, { headers: { authorization: `Bearer ${other}` } });
    assert.equal(usage.status, 200);
    assert.equal(
      (await requestEmbeddings(app.address, app.key, 'embeddings have a queue of their own')).status,
      200,
    );
    for (const socket of sockets) socket.destroy();
    await eventuallyHolds(async () => {
      assert.equal(await metricOf(app, 'embedgate_requests_in_progress'), 1);
      assert.equal(await metricOf(app, 'embedgate_held_bytes'), 0);
    });
    // The turns were released: three requests in a row need more than two.
    for (let i = 0; i < 3; i++) {
      assert.match(await rawExchange(app.port, `${keysOf(app)}Connection: close\r\n\r\n`), /^HTTP\/1.1 200 /);
    }
  });

  test('MAX_REQUESTS_AT_WORK: requests whose bodies are still arriving delay no others', async () => {
    const half =
      'POST /v1/auth/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{';
    const sockets = await Promise.all(Array.from({ length: 4 }, () => open(app)));
    for (const socket of sockets) socket.write(half);
    await eventuallyHolds(async () =>
      assert.equal(await metricOf(app, 'embedgate_requests_in_progress'), 1 + sockets.length),
    );
    assert.equal((await fetch(`${app.address}/v1/auth/options`)).status, 200);
    for (const socket of sockets) socket.destroy();
  });
});

describe('bounds on bodies and files', async () => {
  const app = untilEnd(await appWith({}));

  const post = (path: string, body: string, method = 'POST') =>
    fetch(app.address + path, { method, headers: { 'content-type': 'application/json' }, body });

  test('MAX_FORM_KB: every route but the embeddings refuses a larger body with 413 before parsing it', async () => {
    const before = await reached(app, 'MAX_FORM_KB');
    const form = JSON.stringify({ email: 'ada@example.com', password: 'a'.repeat(17 << 10) });
    for (const path of [
      '/v1/auth/sign-in',
      '/v1/auth/sign-up',
      '/v1/invitations/find',
      '/v1/invitations/accept',
    ]) {
      const refused = await post(path, form);
      assert.deepEqual([path, refused.status], [path, 413]);
      assert.equal(
        ((await refused.json()) as { message: string }).message,
        'The body is larger than 16 KiB (MAX_FORM_KB)',
      );
    }
    assert.equal((await reached(app, 'MAX_FORM_KB')) - before, 4);
  });

  test('the service does not read the body of a request to an unknown route', async () => {
    const before = await reached(app, 'MAX_FORM_KB');
    const large = 'x'.repeat(1 << 20);
    assert.equal((await post('/v1/nowhere', large)).status, 404);
    assert.equal((await post('/v1/embeddings', large, 'PUT')).status, 405);
    assert.equal((await post('/health', '{', 'QUERY')).status, 405);
    assert.equal(await reached(app, 'MAX_FORM_KB'), before);
  });

  test('a network that reads no files waits for its next one, and the status does not', async () => {
    // More than the operating system buffers for a client that doesn't read.
    const assets = readdirSync(new URL('../../../web/dist/assets', import.meta.url));
    const asset = `/assets/${assets.find((name) => /^frame-.*\.js$/.test(name))}`;
    const sockets = await Promise.all(Array.from({ length: 40 }, () => open(app)));
    for (const socket of sockets) {
      socket.pause();
      socket.write(get(asset).repeat(200));
    }
    await eventuallyHolds(async () =>
      assert.ok(
        (await metricOf(app, 'embedgate_requests_in_progress')) > sockets.length,
        'the sockets hold their requests',
      ),
    );
    // Until the buffers of the operating system are full.
    await setTimeout(3_000);
    let isServed = false;
    const file = fetch(`${app.address}/favicon.svg`).then(async (response) => {
      await response.arrayBuffer();
      isServed = true;
      return response.status;
    });
    for (const path of ['/health', '/ready', '/metrics']) {
      assert.equal((await fetch(app.address + path)).status, 200);
    }
    assert.equal(isServed, false);
    for (const socket of sockets) socket.destroy();
    assert.equal(await file, 200);
  });

  const chunked = (path: string, key?: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n${key ? `Authorization: Bearer ${key}\r\n` : ''}\r\n`;

  test('others are served between two large bodies', async () => {
    const other = await otherKey(app, app.administrator.userId);
    const order: string[] = [];
    const large = Array.from({ length: 4 }, async (_, i) => {
      const text = `${i} ${'many words '.repeat(300_000)}`;
      await (await requestEmbeddings(app.address, app.key, text)).arrayBuffer();
      order.push('large');
    });
    let isOver = false;
    const small = async (): Promise<void> => {
      while (!isOver) {
        const headers = { authorization: `Bearer ${other}` };
        await (await fetch(`${app.address}/v1/models`, { headers })).arrayBuffer();
        order.push('small');
      }
    };
    const smaller = small();
    await Promise.all(large);
    isOver = true;
    await smaller;
    const between = order.slice(order.indexOf('large'), order.lastIndexOf('large'));
    const count = between.filter((each) => each === 'small').length;
    assert.ok(count >= 30, `${count} small requests between 4 large ones`);
  });

  const part = (name: string, content = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}`;
  const filePart = (name: string, content = '') => part(`${name}"; filename="f`, content);
  test('bodies in chunks of one byte are refused before they cost more than their size', async () => {
    const byByte = (text: string) => text.replaceAll(/./gs, '1\r\n$&\r\n');
    const json = (count: number) => byByte(`{"input":"${'a'.repeat(count)}"}`);
    const refused = /^HTTP\/1.1 400 .*The body arrives in too many tiny chunks/s;
    const closing = (path: string) =>
      chunked(path, app.key).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const embed = closing('/v1/embeddings');
    assert.match(await rawExchange(app.port, `${embed}${json(20_000)}0\r\n\r\n`), refused);
    const form = closing('/v1/files').replace('application/json', 'multipart/form-data; boundary=b');
    const file = byByte(filePart('file', 'a'.repeat(20_000)));
    assert.match(await rawExchange(app.port, `${form}${file}0\r\n\r\n`), refused);
    assert.match(await rawExchange(app.port, `${embed}${json(2_000)}0\r\n\r\n`), /^HTTP\/1.1 200 /);
    await eventuallyHolds(async () => assert.equal(await metricOf(app, 'embedgate_held_bytes'), 0));
  });

  test('a form without end gets 400 as soon as it has more than a file and little beside it', async () => {
    const head = chunked('/v1/files', app.key).replace('application/json', 'multipart/form-data; boundary=b');
    const more = `10000\r\n${'a'.repeat(1 << 16)}\r\n`.repeat(4);
    for (const begun of [
      'x',
      part('purpose'),
      filePart('other'),
      `${filePart('file', 'x')}\r\n${part('purpose')}`,
    ]) {
      const socket = await open(app);
      socket.write(`${head}${begun.length.toString(16)}\r\n${begun}\r\n${more}`);
      const [received] = await once(socket.setEncoding('utf8'), 'data');
      socket.destroy();
      assert.match(received, /^HTTP\/1.1 400 .*The form must have file, and little beside it/s, begun);
    }
  });

  test('MAX_BODY_KB sets the largest body of a request for embeddings', async () => {
    await using app = await appWith({}, { MAX_BODY_KB: '16' });
    assert.equal((await requestEmbeddings(app.address, app.key, 'a'.repeat(17 << 10))).status, 413);
    assert.equal((await requestEmbeddings(app.address, app.key, 'a'.repeat(15 << 10))).status, 200);
    // The same number as for other routes, because embeddings requests then count like those.
    assert.equal((await reached(app, 'MAX_BODY_KB')) + (await reached(app, 'MAX_FORM_KB')), 1);
  });
});
