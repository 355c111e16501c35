import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '../../../../src/lib/clock.ts';
import type { Reservation } from '../../../../src/quota/ledger-store.ts';
import { dayOf } from '../../../../src/quota/window.ts';
import { askOf } from '../../../helpers/asks.ts';
import { TestClock } from '../../../helpers/clock.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { openPostgres } from '../../../helpers/postgres.ts';
import { untilEnd } from '../../../helpers/until-end.ts';
import { closeAll, isGranted, limitedTo, openReplica, patient, type Replica, reserve } from './replicas.ts';

const behindMs = -1_000;
const aheadMs = 1_000;

describe('replicas whose clocks differ by two seconds, under the database’s clock', async () => {
  const postgres = untilEnd(await openPostgres());

  test('grant each month its limit and not one more when the month changes', async () => {
    const database = new TestClock('2026-11-30T23:59:59.500Z');
    const url = await postgres.createDatabase();
    const replicas = await Promise.all(
      [behindMs, aheadMs].map((offMs) =>
        openReplica(url, { ...patient, windowClock: database }, { now: () => database.now() + offMs }),
      ),
    );
    const orgId = await limitedTo(replicas[0]!, 100);
    // One machine always says November, the other always December.
    const november = asked(replicas, orgId, 400);
    assert.equal((await november).length, 100);
    assert.equal((await replicas[1]!.ledger.readStanding(orgId)).used, 100);
    await assert.rejects(replicas[1]!.ledger.reserve(orgId, askOf('k')), {
      message: 'Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z',
      retryAfterSeconds: 1,
    });

    /** When each replica says, from its memory, that the month ends. */
    const ends = async () => {
      const found = await Promise.all(replicas.map(({ ledger }) => ledger.standing(orgId)));
      return found.map(({ resetsAtMs }) => new Date(resetsAtMs).toISOString().slice(0, 7));
    };
    for (const { ledger } of replicas) await ledger.readStanding(orgId);
    assert.deepEqual(await ends(), ['2026-12', '2026-12']);

    database.advance(400);
    const changing = asked(replicas, orgId, 400);
    database.set('2026-12-01T00:00:00.000Z');
    const december = [...(await changing), ...(await asked(replicas, orgId, 400))];
    assert.equal(december.length, 100);
    const months = Map.groupBy([...(await november), ...december], ({ receipt }) => receipt.monthStartMs);
    assert.deepEqual(
      [...months].map(([startMs, granted]) => [new Date(startMs).toISOString(), granted.length]),
      [
        ['2026-11-01T00:00:00.000Z', 100],
        ['2026-12-01T00:00:00.000Z', 100],
      ],
    );
    const firstOfDecember = dayOf(database.now());
    assert.deepEqual(await ends(), ['2027-01', '2027-01']);
    for (const { ledger } of replicas) await ledger.readStanding(orgId);
    database.set('2027-01-01T00:00:00.000Z');
    assert.deepEqual(await ends(), ['2027-02', '2027-02']);
    database.set('2026-12-01T00:00:00.000Z');
    for (const day of [firstOfDecember - 1, firstOfDecember]) {
      const byKey = await replicas[0]!.stores.usage.totalsByKey(orgId, day, day + 1);
      assert.equal(
        byKey.reduce((sum, { counted }) => sum + counted, 0),
        100,
      );
    }
    await closeAll(replicas);
  });

  test('grant each second of the Postgres clock its limit', async (t) => {
    const url = await postgres.createDatabase();
    const replicas = await Promise.all(
      [behindMs, aheadMs].map((offMs) => openReplica(url, patient, { now: () => systemClock.now() + offMs })),
    );
    const orgId = await limitedTo(replicas[0]!, 20, 'second');
    const granted: Reservation[] = [];
    /** The ends of the seconds in which a request was refused. */
    const exhausted = new Set<number>();
    await eventually(
      async () => {
        const asks = replicas.flatMap(({ ledger }) =>
          Array.from({ length: 30 }, (_, i) => ledger.reserve(orgId, askOf(`key ${i % 3}`))),
        );
        for (const outcome of await Promise.allSettled(asks)) {
          if (outcome.status === 'fulfilled') granted.push(outcome.value);
          else exhausted.add(resetIn(outcome.reason));
        }
        return exhausted.size >= 3;
      },
      { everyMs: 0 },
    );
    const seconds = Map.groupBy(granted, ({ receipt }) => receipt.window?.startMs);
    const counts = [...seconds.values()].map(({ length }) => length);
    t.diagnostic(`granted by second: ${counts.join(', ')}`);
    assert.ok(counts.every((count) => count <= 20));
    assert.deepEqual(
      [...exhausted].map((endMs) => seconds.get(endMs - 1_000)?.length),
      [...exhausted].map(() => 20),
    );
    await closeAll(replicas);
  });
});

/** Returns the time of the reset that a refusal names. Throws any other error. */
function resetIn(reason: Error): number {
  const [, at] = /^Rate limit exceeded\. Resets on (\S+)$/.exec(reason.message) ?? [];
  if (at === undefined) throw reason;
  return Date.parse(at);
}

/** Sends as many requests on each replica, all at once, and returns the granted ones. */
async function asked(replicas: readonly Replica[], orgId: string, count: number): Promise<Reservation[]> {
  const answers = await Promise.all(
    replicas.flatMap((replica, i) =>
      Array.from({ length: count }, (_, ask) => reserve(replica, orgId, `key ${(i + ask) % 3}`)),
    ),
  );
  return answers.filter(isGranted);
}
