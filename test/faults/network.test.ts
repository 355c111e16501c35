import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { untilEnd } from '../helpers/until-end.ts';
import { FaultRig } from './rig/fault-rig.ts';
import { survives } from './rig/survives.ts';

// The network between a replica and its Postgres, broken under load. Prints the table of docs/ledger.md;
// no time is asserted.

const delaysMs = [50, 100, 250, 500];
const delayedForMs = 8_000;
const resets = 40;
const resetEveryMs = 200;

describe('a replica behind a network that fails', async () => {
  const rig = untilEnd(await FaultRig.open(1));
  after(async () => {
    rig?.printTable();
  });

  for (const delayMs of delaysMs) {
    const scenario = `delay of ${delayMs} ms one way`;
    test(scenario, async () => {
      await survives(
        rig,
        scenario,
        async () => {
          rig.relay.delay(delayMs);
          return () => rig.relay.delay(0);
        },
        { lastsMs: delayedForMs },
      );
    });
  }

  for (const [what, way, seconds] of [
    ['cut', 'both', 5],
    ['cut', 'both', 15],
    ['only answers lost', 'answers', 3],
    ['only answers lost', 'answers', 10],
    ['only requests lost', 'requests', 3],
    ['only requests lost', 'requests', 10],
  ] as const) {
    const scenario = `${what}, ${seconds} s`;
    test(scenario, async () => {
      await survives(
        rig,
        scenario,
        async () => {
          rig.relay.cut(way);
          return () => rig.relay.mend();
        },
        { lastsMs: seconds * 1_000 },
      );
    });
  }

  test(`recovers after ${resets} resets`, async () => {
    await survives(rig, `${resets} resets`, async () => {
      for (let i = 0; i < resets; i++) {
        rig.relay.reset();
        await setTimeout(resetEveryMs);
      }
      return undefined;
    });
  });
});
