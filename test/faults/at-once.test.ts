import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { temporaryDirectory } from '../helpers/directory.ts';
import { apiJson } from '../helpers/embedgate.ts';
import { eventually } from '../helpers/eventually.ts';
import { postEmbeddings } from '../helpers/requests.ts';
import { startService } from '../helpers/service.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { dimensions, sound, UpstreamServer } from '../helpers/upstream-server.ts';

/** `REQUESTS=10000 npm run test:faults -- at-once` takes seconds. */
const requests = Number(process.env.REQUESTS ?? 100_000);
const amount = 8;
const clients = 50;
const kills = 3;
const abortEveryMs = 50;

test(`${requests} requests of ${clients} clients that disconnect, with ${kills} kills, are never more than ${amount} at a time`, {
  timeout: 1_200_000,
}, async (t) => {
  const directory = untilEnd(temporaryDirectory());
  const upstream = untilEnd(await new UpstreamServer().listen());
  /** The requests that the upstream computes now, and the most at a time since the last start of the service. */
  const computing = { now: 0, most: 0 };
  let open = Promise.resolve();
  upstream.otherwise = async (response, asked) => {
    // Each request has one text. The service has texts of its own, with which it tests an upstream.
    const { length } = asked.input.filter((text) => text.startsWith('request '));
    computing.now += length;
    computing.most = Math.max(computing.most, computing.now);
    await Promise.all([open, setTimeout(1 + Math.random() * 4)]);
    computing.now -= length;
    sound(response, asked);
  };
  const settings = join(directory.path, 'embedgate.json');
  const models = [{ upstream: { model: 'theirs', max_tokens: 100, dimensions, urls: [upstream.url] } }];
  writeFileSync(settings, JSON.stringify({ models }));
  const environment = { EMBEDGATE_CONFIG: settings, DEFAULT_TIER: 'enterprise' };
  const start = () => startService({ dataDir: directory.path, environment });
  let service = await start();
  const { key, orgId } = service;
  const path = `/v1/organizations/${orgId}/limits`;
  const limit = { unit: 'requests_at_once', amount, max_wait_seconds: 60 };
  await apiJson(['POST', path, JSON.stringify(limit)], service.environment);
  const used = async () => {
    const response = await fetch(service.address + path, { headers: { authorization: `Bearer ${key}` } });
    return ((await response.json()) as { data: { used: number }[] }).data[0]?.used;
  };

  const outcomes = new Map<string, number>();
  const inProgress = new Set<AbortController>();
  let sent = 0;
  const send = async (text: string): Promise<void> => {
    const gone = new AbortController();
    inProgress.add(gone);
    const outcome = await postEmbeddings(service.address, key, { input: text }, gone.signal)
      .then(async (response) => {
        await response.arrayBuffer();
        return String(response.status);
      })
      .catch(() => (gone.signal.aborted ? 'aborted' : 'killed'));
    inProgress.delete(gone);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  };
  const sendUntil = (count: number, isOver: () => boolean) =>
    Promise.all(
      Array.from({ length: clients }, async () => {
        while (sent < count && !isOver()) await send(`request ${sent++}`);
      }),
    );
  const aborting = setInterval(() => {
    const all = [...inProgress];
    all[Math.floor(Math.random() * all.length)]?.abort();
  }, abortEveryMs);

  t.after(async () => {
    sent = Number.POSITIVE_INFINITY;
    clearInterval(aborting);
    await service.stop();
  });

  for (let life = 0; life <= kills; life += 1) {
    let isKilled = false;
    const sending = sendUntil(requests, () => isKilled);
    if (life < kills) {
      await eventually(() => sent >= (requests * (life + 1)) / (kills + 1), { withinMs: 600_000 });
      isKilled = true;
      await service.kill('SIGKILL');
    }
    await sending;
    assert.equal(computing.most, amount);
    // What the upstream still computes for the process that was killed doesn't count for the next one.
    await eventually(() => computing.now === 0);
    computing.most = 0;
    if (life < kills) service = await start();
  }
  clearInterval(aborting);
  t.diagnostic(JSON.stringify(Object.fromEntries(outcomes)));
  const aborted = outcomes.get('aborted') ?? 0;
  const killed = outcomes.get('killed') ?? 0;
  assert.ok(aborted > 0 && killed > 0 && killed <= kills * clients, 'a fault was not met');
  assert.equal(outcomes.get('200'), sent - aborted - killed);

  await eventually(async () => (await used()) === 0);
  const gate = Promise.withResolvers<void>();
  open = gate.promise;
  const last = Array.from({ length: 2 * amount }, (_, i) => send(`request last ${i}`));
  await eventually(() => computing.now === amount);
  assert.equal(await used(), amount);
  gate.resolve();
  await Promise.all(last);
  assert.equal(computing.most, amount);
  await eventually(async () => (await used()) === 0);
});
