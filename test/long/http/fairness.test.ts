import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { eventually, eventuallyHolds } from '../../helpers/eventually.ts';
import { metricOf, postEmbeddings, requestEmbeddings } from '../../helpers/requests.ts';

/** Creates an organization, and returns its id and a key. */
async function organization({ services, administrator }: ListeningApp, name: string) {
  const { orgId } = await services.organizations.create({ name });
  const { secret } = await services.keys.create({ orgId, userId: administrator.userId, name });
  return { orgId, key: secret };
}

/** Keeps requests with many long texts in progress until the signal aborts. Returns the number of responses by status. */
function flood(app: ListeningApp, key: string, { signal }: { signal: AbortSignal }) {
  const counts = new Map<number, number>();
  const connection = async (id: number): Promise<void> => {
    for (let n = 0; !signal.aborted; n++) {
      const input = Array.from({ length: 64 }, (_, i) => `${id} ${n} ${i} ${'long text '.repeat(40)}`);
      try {
        const response = await postEmbeddings(app.address, key, { input }, signal);
        await response.arrayBuffer();
        counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
        await setTimeout(20, undefined, { signal });
      } catch (reason) {
        if (!signal.aborted) throw reason;
      }
    }
  };
  return { counts, done: Promise.all(Array.from({ length: 20 }, (_, id) => connection(id))) };
}

test('an organization that sends one text at a time gets no 503 while others flood the queue', async () => {
  await using app = await listeningApp({ bounds: { maxQueueTokens: 40_000 } });
  const [one, two, calm] = [
    await organization(app, 'One'),
    await organization(app, 'Two'),
    await organization(app, 'Calm'),
  ];
  const end = new AbortController();
  const floods = [one, two].map(({ key }) => flood(app, key, end));
  await eventuallyHolds(async () => {
    assert.ok((await metricOf(app, 'embedgate_bound_reached_total{bound="MAX_QUEUE_TOKENS"}')) >= 4);
    assert.equal(await metricOf(app, 'embedgate_queue_organizations'), 2);
  });
  const statuses: number[] = [];
  for (let i = 0; i < 20; i++) {
    const response = await requestEmbeddings(app.address, calm.key, `a short text ${i}`);
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  // The floods exceed their shares.
  await eventually(() => floods.every(({ counts }) => (counts.get(503) ?? 0) > 0));
  end.abort();
  await Promise.all(floods.map(({ done }) => done));
  assert.deepEqual([...new Set(statuses)], [200]);
  await eventuallyHolds(async () => assert.equal(await metricOf(app, 'embedgate_queue_tokens'), 0));
});

test('a request that never fits in the queue gets a 400 that says what fits', async () => {
  await using app = await listeningApp({ bounds: { maxQueueTokens: 2_048 } });
  const texts = Array.from({ length: 10 }, (_, i) => `${i} ${'long text '.repeat(40)}`);
  const refused = await requestEmbeddings(app.address, app.key, texts);
  assert.equal(refused.status, 400);
  const { error, message } = (await refused.json()) as { error: string; message: string };
  assert.equal(error, 'invalid_request');
  assert.match(message, /have up to 2,560 tokens, but the queue has room for 896 of a request/);
  assert.equal((await requestEmbeddings(app.address, app.key, texts.slice(0, 3))).status, 200);
});

test('the largest request has room in an empty queue of the default size', async () => {
  await using app = await listeningApp();
  const input = Array.from({ length: 2_048 }, (_, i) => `${i} ${'x'.repeat(1_950)}`);
  const aborting = new AbortController();
  const sent = postEmbeddings(app.address, app.key, { input }, aborting.signal);
  const outcome = sent.then(
    ({ status }) => status,
    () => 'aborted',
  );
  await eventuallyHolds(async () => assert.ok((await metricOf(app, 'te_queue_size')) > 1_000));
  aborting.abort();
  assert.equal(await outcome, 'aborted');
});
