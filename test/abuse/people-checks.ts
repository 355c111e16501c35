import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Browser } from '../helpers/browser.ts';
import type { RunningService } from '../helpers/service.ts';
import { healthOf, isSound, recovers } from './health.ts';
import { serviceOn, size, stores } from './stores.ts';
import { Witness } from './witness.ts';

// Clients whose requests need the database, as many at a time as they may send. Meanwhile, another
// organization's program embeds texts, and one of its members uses the dashboard.

const mebibyte = 1 << 20;
const keys = size(900, 200);

/** What one client sends on each of its connections, all at once. */
interface Flood {
  readonly connections: number;
  readonly requests: (at: Abusive, connection: number) => string;
  /** How often it resets all of them soon after, and begins again. */
  readonly rounds?: number;
}

interface Abusive {
  readonly orgId: string;
  readonly key: string;
  readonly cookie: string;
}

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const byKey = ({ key }: Abusive) => `Authorization: Bearer ${key}`;
const bySession = ({ cookie }: Abusive) => `Cookie: ${cookie}`;
const signIn = (email: string): string => {
  const body = JSON.stringify({ email, password: 'xxxxxxxxxxxx' });
  return `${head('POST /v1/auth/sign-in', 'Content-Type: application/json', `Content-Length: ${body.length}`)}${body}`;
};

const floods: Readonly<Record<string, Flood>> = {
  'asks for its keys with a key': {
    connections: 60,
    requests: (at) => head(`GET /v1/organizations/${at.orgId}/keys`, byKey(at)).repeat(16),
  },
  'asks for its keys in a session': {
    connections: 60,
    requests: (at) => head(`GET /v1/organizations/${at.orgId}/keys`, bySession(at)).repeat(16),
  },
  'asks for reports': {
    connections: 20,
    requests: (at) => head(`GET /v1/organizations/${at.orgId}/usage`, byKey(at)).repeat(16),
  },
  'asks who it is': {
    connections: 250,
    requests: (at) => head('GET /v1/me', bySession(at)).repeat(16),
  },
  'guesses at one password': { connections: 250, requests: () => signIn('nobody@example.com').repeat(16) },
  'sends keys that nobody has': {
    connections: 200,
    requests: () =>
      Array.from({ length: 16 }, () =>
        head('GET /v1/usage', `Authorization: Bearer sk_${randomBytes(32).toString('hex')}`),
      ).join(''),
  },
  'asks who it is, and leaves': {
    connections: 60,
    requests: (at) => head('GET /v1/me', bySession(at)).repeat(16),
    rounds: 20,
  },
  'guesses at passwords, and leaves': {
    connections: 60,
    requests: (_, connection) => signIn(`nobody${connection}@example.com`),
    rounds: 20,
  },
  'guesses at a hundred passwords': {
    connections: 100,
    requests: (_, connection) => signIn(`nobody${connection}@example.com`),
  },
};

for (const store of stores) {
  describe(`floods of requests on ${store}`, () => {
    for (const [what, flood] of Object.entries(floods)) {
      test(`a client ${what}`, async () => {
        await using service = await serviceOn(store);
        const person = await new Browser(service.address).signIn(service.administrator);
        const at = await abusive(service, person);
        const witness = await Witness.of(service);
        await witness.work(20);
        const before = await healthOf(service);
        const port = Number(new URL(service.address).port);
        let sockets = await openAll(port, flood);
        const begin = (): void => sockets.forEach((socket, i) => void socket.write(flood.requests(at, i)));
        begin();
        const leaving = (async () => {
          for (let round = 1; round < (flood.rounds ?? 1); round++) {
            await setTimeout(10);
            for (const socket of sockets) socket.resetAndDestroy();
            sockets = await openAll(port, flood);
            begin();
          }
        })();
        const dashboard: number[] = [];
        witness.isDone = false;
        let peakBytes = before.residentBytes;
        await Promise.all([
          witness.work(size(100, 30)),
          (async () => {
            while (!witness.isDone) {
              const beganMs = performance.now();
              await person.ask(200, 'GET', '/v1/me');
              await person.ask(200, 'GET', '/v1/organizations');
              dashboard.push(performance.now() - beganMs);
              peakBytes = Math.max(peakBytes, (await healthOf(service)).residentBytes);
              await setTimeout(20);
            }
          })(),
        ]);
        await leaving;
        for (const socket of sockets) socket.destroy();
        const worstMs = Math.max(...dashboard);
        const added = (peakBytes - before.residentBytes) / mebibyte;
        console.log(
          `${store}, ${what}: embeddings p99 ${witness.p99Ms.toFixed(0)} ms, dashboard ${worstMs.toFixed(0)} ms at most, ${added.toFixed(0)} MiB more`,
        );
        assert.deepEqual(witness.failures, []);
        await recovers(service, before, 256);
        await isSound(service);
      });
    }
  });
}

/** From an address of their own, because lookups of one address wait for each other. */
async function openAll(port: number, { connections }: Flood): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let i = 0; i < connections; i++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }).on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    // Half of them read what they receive.
    if (i % 2 === 0) socket.resume();
  }
  return sockets;
}

/** An organization with many keys of long names, and a signed-in member. */
async function abusive(service: RunningService, administrator: Browser): Promise<Abusive> {
  const { org_id: orgId } = await administrator.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', {
    name: 'abusive',
    tier: 'enterprise',
  });
  const organization = `/v1/organizations/${orgId}`;
  const newKey = (name: string) =>
    administrator.ask<{ key: string }>(201, 'POST', `${organization}/keys`, { name });
  for (let i = 0; i < keys; i++) await newKey(`${i} ${'鍵'.repeat(90)}`);
  const { key } = await newKey('abusive');
  const { email, password } = await administrator.ask<{ email: string; password: string }>(
    201,
    'POST',
    '/v1/users',
    { email: 'member@example.com' },
  );
  const member = await new Browser(service.address).signIn({ email, password });
  const { url } = await administrator.ask<{ url: string }>(201, 'POST', `${organization}/invitations`, {
    email,
    role: 'member',
  });
  await member.ask(200, 'POST', '/v1/invitations/accept', { token: url.split('#token=')[1] });
  return { orgId, key, cookie: member.cookie };
}
