import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it, mock } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { useProxy } from '../../../src/config/proxy.ts';

it('requests of the next minute use a new connection, with and without a proxy', async (t) => {
  let connections = 0;
  const server = createServer((_request, response) => response.end()).on('connection', () => connections++);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = async (): Promise<void> => {
    await (await fetch(url)).text();
    // The connection is free in a later turn.
    await setTimeout(10);
  };
  for (const environment of [{}, { HTTP_PROXY: 'http://127.0.0.1:9' }]) {
    mock.timers.enable({ apis: ['setInterval'] });
    useProxy(environment);
    connections = 0;
    await get();
    await get();
    mock.timers.tick(60_000);
    await get();
    await get();
    mock.timers.reset();
    assert.equal(connections, 2);
  }
});
