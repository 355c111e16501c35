import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { kindsOfText, textOfKind } from '../helpers/kinds-of-text.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { Asker } from './ask.ts';
import { healthOf, isSound, recovers } from './health.ts';
import { seed, serviceOn, size } from './stores.ts';
import { Witness } from './witness.ts';

// The largest allowed texts of every kind, sent to a service whose code is compiled. Meanwhile, another
// organization sends short texts in sequence.

const largestUnits = 3_900_000;
const clients = 4;

describe('long and hostile texts', () => {
  test('are embedded or refused, and delay nobody else', async () => {
    await using service = await serviceOn('SQLite');
    const witness = await Witness.of(service);
    for (let i = 0; i < size(60, 20); i++) {
      const texts = Array.from({ length: 200 }, (_, j) => `warm ${seed} ${i} ${j}`);
      assert.equal((await requestEmbeddings(service.address, service.key, texts)).status, 200);
    }
    await witness.work(20);
    const before = await healthOf(service);
    const kinds = Object.keys(kindsOfText).slice(0, size(100, 5));
    let worst = { ms: 0, kind: '' };
    for (const kind of kinds) {
      await Promise.all([abuse(service.address, service.key, kind), witness.work(size(60, 20))]);
      console.log(`${kind}: p99 of the witness ${witness.p99Ms.toFixed(0)} ms`);
      if (witness.p99Ms > worst.ms) worst = { ms: witness.p99Ms, kind };
      assert.deepEqual(witness.failures, []);
    }
    console.log(`worst p99 of the witness: ${worst.ms.toFixed(0)} ms, beside ${worst.kind}`);
    await recovers(service, before, 512);
    await isSound(service);
  });
});

/** One text as long as a body may be, and many that fill one, with and without truncation. */
async function abuse(address: string, key: string, kind: string): Promise<void> {
  using asker = new Asker(address, { connections: clients, deadlineMs: 600_000 });
  const bytesPerUnit = Buffer.byteLength(JSON.stringify(textOfKind(kind, 4_096))) / 4_096;
  const units = Math.floor(largestUnits / bytesPerUnit);
  const bodies = [true, false].flatMap((truncate) => [
    { input: textOfKind(kind, units), truncate },
    {
      input: Array.from({ length: 500 }, (_, i) => `${i} ${textOfKind(kind, Math.floor(units / 520))}`),
      truncate,
    },
  ]);
  const statuses = await Promise.all(
    bodies.map((body) =>
      asker.ask({
        method: 'POST',
        path: '/v1/embeddings',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    ),
  );
  for (const { status, body } of statuses)
    assert.ok([200, 400, 429, 503].includes(status), `${kind}: ${status} ${body.slice(0, 200)}`);
}
