import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { eventuallyHolds } from '../../helpers/eventually.ts';
import { rawExchange } from '../../helpers/raw-http.ts';
import { metricOf, requestEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { sound, UpstreamServer } from '../../helpers/upstream-server.ts';

// A client may close its connection at any moment. What its requests hold is released exactly when their work
// has ended.

const maxAtWork = 2;

describe('clients that close their connection before the response', async () => {
  let administrator: Browser;
  const app = untilEnd(await listeningApp({ bounds: { maxRequestsAtWork: maxAtWork } }));
  beforeEach(async () => {
    administrator = await new Browser(app.address).signIn(app.administrator);
  });

  /** Sends requests and closes their connections after some milliseconds. */
  const abandon = (path: string, init: RequestInit, count: number): Promise<unknown> =>
    Promise.allSettled(
      Array.from({ length: count }, (_, i) =>
        fetch(app.address + path, { ...init, signal: AbortSignal.timeout(1 + (i % 20)) }),
      ),
    );
  const nothingIsHeld = () =>
    eventuallyHolds(async () => {
      // The request for the metrics itself.
      assert.equal(await metricOf(app, 'embedgate_requests_in_progress'), 1);
      assert.equal(await metricOf(app, 'embedgate_held_bytes'), 0);
    });

  test('a person who has abandoned many requests is still served', async () => {
    const { cookie } = administrator;
    for (let round = 0; round < 3; round++) await abandon('/v1/me', { headers: { cookie } }, 40);
    await nothingIsHeld();
    for (let i = 0; i <= maxAtWork; i++) await administrator.ask(200, 'GET', '/v1/me');
  });

  test('an organization whose users have abandoned many embeddings is still served', async () => {
    const path = `/v1/organizations/${app.orgId}/embeddings`;
    for (let round = 0; round < 3; round++) {
      await abandon(
        path,
        {
          method: 'POST',
          headers: {
            cookie: administrator.cookie,
            origin: app.address,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ input: `left ${round}` }),
        },
        40,
      );
    }
    await nothingIsHeld();
    const authorization = `Bearer ${app.key}`;
    for (let i = 0; i <= maxAtWork; i++) {
      const response = await fetch(`${app.address}/v1/organizations/${app.orgId}/keys`, {
        headers: { authorization },
      });
      assert.equal(response.status, 200);
      await response.arrayBuffer();
    }
    assert.equal((await requestEmbeddings(app.address, app.key, 'still here')).status, 200);
  });

  test('an abandoned request counts until its work has ended', async () => {
    const { keys } = app.services.stores;
    const list = keys.list;
    const leave = new AbortController();
    let atWork = 0;
    let most = 0;
    keys.list = async (...args) => {
      atWork += 1;
      most = Math.max(most, atWork);
      if (atWork === maxAtWork) leave.abort();
      await setTimeout(100);
      atWork -= 1;
      return list(...args);
    };
    try {
      const headers = { authorization: `Bearer ${app.key}` };
      const path = `${app.address}/v1/organizations/${app.orgId}/keys`;
      const { signal } = leave;
      const sent = Array.from({ length: 60 }, () => fetch(path, { headers, signal }));
      // Those that come while the first ones are at work.
      await Promise.all([Promise.allSettled(sent), abandon(path.slice(app.address.length), { headers }, 60)]);
      await nothingIsHeld();
    } finally {
      keys.list = list;
    }
    assert.equal(most, maxAtWork);
  });

  test('the usage by day and by hour has requests whose client has gone, and the log does not', async () => {
    const { orgId } = await app.services.organizations.create({ name: 'Gone', tier: 'free' });
    const { secret } = await app.services.keys.create({ orgId, userId: 'u', name: 'gone' });
    assert.equal((await requestEmbeddings(app.address, secret, 'stays')).status, 200);
    const send = (body: string, length = body.length) => {
      const head = `POST /v1/embeddings HTTP/1.1\r\nHost: embedgate.test\r\nAuthorization: Bearer ${secret}\r\n`;
      const sizes = `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
      const socket = connect(Number(new URL(app.address).port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(head + sizes + body);
      return socket;
    };
    send('{"input":', 100).end();
    // So long that the response does not fit into the buffers of the connection.
    const input = Array.from({ length: 1_500 }, (_, i) => `text ${i}`);
    const socket = send(JSON.stringify({ input }));
    socket.once('data', () => socket.destroy());
    const today = new Date().toISOString().slice(0, 10);
    const path = `/v1/organizations/${orgId}`;
    type Figures = Record<'counted' | 'failed' | 'texts', number>;
    await eventuallyHolds(async () => {
      for (const by of ['day', 'hour']) {
        const { series } = await administrator.ask<{ series: Figures[] }>(
          200,
          'GET',
          `${path}/usage?from=${today}&by=${by}`,
        );
        const used = series.find(({ texts }) => texts > 0);
        assert.deepEqual([used?.counted, used?.failed, used?.texts], [2, 1, 1_501], by);
      }
    });
    await app.services.recorder.flush();
    const log = await administrator.ask<{ data: { texts: number }[] }>(200, 'GET', `${path}/requests`);
    assert.deepEqual(
      log.data.map(({ texts }) => texts),
      [1],
    );
  });

  test('abandoned sign-ins of an address do not fill the queue for passwords', async () => {
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'a wrong password' });
    const headers = { 'content-type': 'application/json' };
    await abandon('/v1/auth/sign-in', { method: 'POST', headers, body }, 100);
    await administrator.ask(204, 'POST', '/v1/me/password', {
      current_password: app.administrator.password,
      new_password: app.administrator.password,
    });
    await nothingIsHeld();
  });

  test('MAX_REQUESTS_AT_WORK bounds the lookups of a network whose caller is not known yet', async () => {
    const { keys } = app.services.stores;
    const find = keys.findByDigest;
    let atWork = 0;
    let most = 0;
    keys.findByDigest = async (digest) => {
      atWork += 1;
      most = Math.max(most, atWork);
      try {
        return await find(digest);
      } finally {
        atWork -= 1;
      }
    };
    try {
      const statuses = await Promise.all(
        Array.from({ length: 200 }, async () => {
          const response = await fetch(`${app.address}/v1/usage`, {
            headers: { authorization: `Bearer sk_${randomBytes(32).toString('hex')}` },
          });
          return response.status;
        }),
      );
      assert.deepEqual([...new Set(statuses)], [401]);
    } finally {
      keys.findByDigest = find;
    }
    assert.ok(most > 0 && most <= maxAtWork, `${most} at work`);
    await nothingIsHeld();
  });
});

/** So long that a busy machine sends and reads a request in much less time. */
const idleTimeoutMs = 1_000;

test('the connection stays while an embedding takes longer than a client may be idle, also one that was pipelined', async () => {
  await using upstream = await new UpstreamServer().listen();
  upstream.otherwise = async (response, request) => {
    await setTimeout(2 * idleTimeoutMs);
    sound(response, request);
  };
  await using app = await listeningApp({
    bounds: { idleTimeoutMs },
    environment: { EMBEDDING_UPSTREAM_URL: upstream.url, EMBEDDING_MODEL: 'slow' },
  });
  const request = (input: string | string[], connection: string) => {
    const body = JSON.stringify({ input });
    const head = [
      'POST /v1/embeddings HTTP/1.1',
      'Host: embedgate.test',
      `Authorization: Bearer ${app.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `Connection: ${connection}`,
    ];
    return `${head.join('\r\n')}\r\n\r\n${body}`;
  };
  // The first of the pipelined requests then takes its vector from the cache.
  assert.equal((await requestEmbeddings(app.address, app.key, 'short')).status, 200);
  const responses = await rawExchange(
    app.port,
    request('short', 'keep-alive') + request(['one', 'two'], 'close'),
  );
  assert.equal(responses.match(/HTTP\/1\.1 200 OK/g)?.length, 2);
  assert.equal(responses.match(/"object":"embedding"/g)?.length, 3);
});
