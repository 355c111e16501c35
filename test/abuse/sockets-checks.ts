import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { requestEmbeddings } from '../helpers/requests.ts';
import type { RunningService } from '../helpers/service.ts';
import { type Health, healthOf, isSound, recovers } from './health.ts';
import { serviceOn, size } from './stores.ts';
import { Witness } from './witness.ts';

// Clients that send slowly, incompletely, too much or nonsense, and clients that don't read. Meanwhile,
// another client continues to work.

const mebibyte = 1 << 20;
/** What one anonymous client may add. The short form runs beside other tests, where memory is freed later. */
const anonymousMebibytes = size(64, 128);
/**
 * What one with a key may leave: it may hold MAX_HELD_MB_PER_ORGANIZATION, and the allocator keeps some of
 * what it needed for that.
 */
const keyHolderMebibytes = size(256, 384);
const sign = 'POST /v1/auth/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/** One way to misbehave: opens its connections, and leaves them as they are. */
type Misbehaviour = (at: Abused) => Promise<void>;

class Abused {
  readonly service: RunningService;
  readonly #port: number;
  readonly #sockets: Socket[] = [];

  constructor(service: RunningService) {
    this.service = service;
    this.#port = Number(new URL(service.address).port);
  }

  async open(options: { reads?: boolean } = {}): Promise<Socket> {
    const socket = connect({ port: this.#port, host: '127.0.0.1' }).on('error', () => {});
    this.#sockets.push(socket);
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    if (options.reads !== false) socket.resume();
    return socket;
  }

  /** Sends the same on many connections at once. */
  async each(count: number, bytes: string | Buffer, options: { reads?: boolean } = {}): Promise<void> {
    for (let i = 0; i < count; i++) (await this.open(options)).write(bytes);
  }

  get embed(): string {
    return (
      'POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
      `Authorization: Bearer ${this.service.key}\r\n`
    );
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

const anonymous: Readonly<Record<string, Misbehaviour>> = {
  'pipelines files and reads nothing': async (at) => {
    const get = 'GET /docs HTTP/1.1\r\nHost: x\r\n\r\n';
    await at.each(10, get.repeat(900), { reads: false });
  },
  'pipelines pages of the dashboard and reads nothing': async (at) => {
    await at.each(10, 'GET /login HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(700), { reads: false });
  },
  'sends half of 400 bodies': async (at) => {
    await at.each(400, `${sign}Content-Length: 16000\r\n\r\n{"email": "${'a'.repeat(15_000)}`);
  },
  'announces bodies that are too large': async (at) => {
    await at.each(50, `${sign}Content-Length: 4000000\r\n\r\n${'{"a":'.repeat(200_000)}`);
  },
  'sends bodies in endless chunks': async (at) => {
    const chunk = `ffff\r\n${'a'.repeat(0xffff)}\r\n`;
    await at.each(20, `${sign}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}`);
  },
  'nests JSON deeply': async (at) => {
    const body = '['.repeat(16_000);
    await at.each(50, `${sign}Content-Length: ${body.length}\r\n\r\n${body}`);
  },
  'opens 1,000 connections and sends nothing': async (at) => {
    for (let i = 0; i < 1_000; i++) await at.open();
  },
  'sends headers a byte at a time': async (at) => {
    const sockets = await Promise.all(Array.from({ length: 100 }, () => at.open()));
    for (const byte of 'GET /health HTTP/1.1\r\nX: ') {
      for (const socket of sockets) socket.write(byte);
      await setTimeout(10);
    }
  },
  'sends headers that never end': async (at) => {
    await at.each(100, `GET /health HTTP/1.1\r\n${'X-Header: value\r\n'.repeat(900)}`);
  },
  'resets its connections': async (at) => {
    for (let i = 0; i < 200; i++) {
      const socket = await at.open();
      socket.write(`${sign}Content-Length: 100\r\n\r\n{"em`);
      socket.resetAndDestroy();
    }
  },
  'sends what is no HTTP': async (at) => {
    await at.each(100, Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 7_919) % 256)));
  },
  'smuggles a second request': async (at) => {
    await at.each(
      20,
      `${sign}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    await at.each(
      20,
      `${sign}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}   GET /metrics HTTP/1.1\r\n\r\n`,
    );
  },
};

const withKey: Readonly<Record<string, Misbehaviour>> = {
  'sends half of many large bodies': async (at) => {
    await at.each(100, `${at.embed}Content-Length: 4000000\r\n\r\n{"input": "${'a'.repeat(1 << 20)}`);
  },
  'asks for large responses and reads none': async (at) => {
    const body = JSON.stringify({ input: Array.from({ length: 2_048 }, (_, i) => `text ${i % 64}`) });
    await at.each(60, `${at.embed}Content-Length: ${body.length}\r\n\r\n${body}`, { reads: false });
  },
  'pipelines embeddings': async (at) => {
    const body = JSON.stringify({ input: 'the same text' });
    await at.each(20, `${at.embed}Content-Length: ${body.length}\r\n\r\n${body}`.repeat(500), {
      reads: false,
    });
  },
  'disconnects as soon as it has asked': async (at) => {
    for (let i = 0; i < size(500, 100); i++) {
      const body = JSON.stringify({ input: Array.from({ length: 64 }, (_, j) => `gone ${i} ${j}`) });
      const socket = await at.open();
      socket.write(`${at.embed}Content-Length: ${body.length}\r\n\r\n${body}`, () => socket.destroy());
    }
  },
};

describe('hostile use of sockets', () => {
  for (const [kind, misbehaviours] of Object.entries({ anonymous, 'with a key': withKey })) {
    for (const [what, misbehave] of Object.entries(misbehaviours)) {
      test(`a client ${kind} ${what}`, async () => {
        await using service = await serviceOn('SQLite');
        const witness = await Witness.of(service);
        await witness.work(20);
        // Files and compiled code stay in memory from the first request on.
        await (await fetch(`${service.address}/docs`)).arrayBuffer();
        const before = await healthOf(service);
        const abused = new Abused(service);
        witness.isDone = false;
        const [, peak] = await Promise.all([
          misbehave(abused).then(() => witness.work(size(100, 20))),
          peakOf(service, witness),
        ]);
        const added = (peak.residentBytes - before.residentBytes) / mebibyte;
        console.log(
          `${kind}, ${what}: p99 ${witness.p99Ms.toFixed(0)} ms, ${added.toFixed(0)} MiB more at most`,
        );
        assert.deepEqual(witness.failures, []);
        abused.end();
        if (kind === 'anonymous') assert.ok(added <= anonymousMebibytes, `${added} MiB more`);
        await recovers(service, before, kind === 'anonymous' ? anonymousMebibytes : keyHolderMebibytes);
        await isSound(service);
        assert.equal((await requestEmbeddings(service.address, service.key, 'after all')).status, 200);
      });
    }
  }
});

/** Observes a service until the witness is done. */
async function peakOf(service: RunningService, witness: Witness): Promise<Health> {
  let peak = await healthOf(service);
  while (!witness.isDone) {
    await setTimeout(200);
    const now = await healthOf(service).catch(() => peak);
    if (now.residentBytes > peak.residentBytes) peak = now;
  }
  return peak;
}
