import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { missingTool, startPlainProxy } from '../deploy/proxies.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import { eventuallyHolds } from '../helpers/eventually.ts';
import { freePort } from '../helpers/free-port.ts';
import { addsColumn, nextRelease } from '../helpers/next-release.ts';
import { openPostgres } from '../helpers/postgres.ts';
import { newOrganization, startReplicas } from '../helpers/replicas.ts';
import { startService } from '../helpers/service.ts';
import { untilEnd } from '../helpers/until-end.ts';

// Restarts two replicas behind each documented proxy in turn, with a later release and with this one again, while clients send
// requests. No request may fail, and each counts once. RESTARTS=20 restarts more often.

const restarts = Number(process.env.RESTARTS ?? 6);
const noticedAfterMs = 3_000;
const clients = 16;

for (const name of ['caddy', 'nginx', 'haproxy'] as const) {
  describe(`rolling restarts behind ${name}, as deploy/ configures it`, {
    skip: missingTool(name),
  }, async () => {
    const directory = untilEnd(temporaryDirectory());
    const later = untilEnd(
      nextRelease('1.1.0', { 'src/database/migrations/steps/0002-1.0-note.ts': addsColumn('organizations') }),
    );
    const postgres = untilEnd(await openPostgres());
    const replicas = untilEnd(
      await startReplicas(await postgres.createDatabase(), 2, {
        DRAIN_SECONDS: '3',
        TRUSTED_PROXIES: '127.0.0.1',
      }),
    );
    const services = [...replicas.services];
    const made = await newOrganization(replicas.core, { amount: 1_000_000, window: 'month' }, 1);
    const key = made.keys[0]!;
    const port = await freePort();
    const upstreams = services.map(({ address }) => new URL(address).host);
    const proxy = untilEnd(await startPlainProxy(name, { directory: directory.path, port, upstreams }));
    after(async () => {
      await Promise.all(services.map((service) => service[Symbol.asyncDispose]()));
    });

    test(`no request fails in ${restarts} restarts`, async (t) => {
      const outcomes = new Map<string, number>();
      let isOver = false;
      const agent = new Agent({ keepAlive: true });
      const asking = Array.from({ length: clients }, async (_, client) => {
        for (let i = 0; !isOver; i++) {
          const outcome = await embed(proxy.address, key, agent, `text ${client} ${i % 40}`);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      });
      for (let i = 0; i < restarts; i++) {
        const place = i % services.length;
        const { address, dataDir, environment, stop } = services[place]!;
        const { code } = await stop();
        assert.equal(code, 0);
        const { port } = new URL(address);
        services[place] = await startService({
          dataDir,
          environment: { ...environment, PORT: port },
          // Both replicas first get the later release, then this one again.
          ...(i % 4 < 2 && { program: later.program }),
        });
        await eventuallyHolds(async () => assert.equal((await fetch(`${address}/ready`)).status, 200));
        // Proxies check once a second: the next replica stops when they know that this one is back.
        await setTimeout(noticedAfterMs);
      }
      isOver = true;
      await Promise.all(asking);
      agent.destroy();
      t.diagnostic(JSON.stringify(Object.fromEntries(outcomes)));
      const { '200': _served, ...failed } = Object.fromEntries(outcomes);
      assert.deepEqual(failed, {});
    });
  });
}

function embed(address: string, key: string, agent: Agent, input: string): Promise<string> {
  const body = JSON.stringify({ input });
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve) => {
    const asked = request(`${address}/v1/embeddings`, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.statusCode)));
      response.on('error', (reason) => resolve(String(reason)));
    });
    asked.on('error', (reason) => resolve(String(reason)));
    asked.setTimeout(20_000, () => asked.destroy(new Error('no response in 20 s')));
    asked.end(body);
  });
}
