import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../../src/config/config.ts';
import { readBody } from '../../../src/http/read-body.ts';
import { takeLoopTurn } from '../../../src/load/event-loop.ts';
import { Hold } from '../../../src/load/hold.ts';
import { Load } from '../../../src/load/load.ts';

const bodyTimeoutMs = 200;

test('the time in which the service pauses a body does not count as the time of its arrival', async (t) => {
  const { bounds, tiers } = readConfig({});
  const hold = new Hold(new Load({ ...bounds, bodyTimeoutMs }, tiers));
  t.after(() => hold.close());
  const message = new IncomingMessage(new Socket());
  message.headers = {};
  const read = Promise.withResolvers<Buffer>();
  const done = (reason: Error | null, body: Buffer = Buffer.alloc(0)) =>
    reason ? read.reject(reason) : read.resolve(body);
  readBody(message, { bound: 'MAX_BODY_KB', hold }, done);

  const other = takeLoopTurn({ id: 'another organization', weight: 1 });
  await other.begun;
  const chunk = Buffer.alloc(64 << 10, 'a');
  for (let i = 0; i < 16; i += 1) message.push(chunk);
  message.push(null);
  await setTimeout(2 * bodyTimeoutMs);
  assert.equal(message.isPaused(), true);
  other.end();
  assert.equal((await read.promise).length, 16 * chunk.length);
});
