import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { embedgateJson } from '../helpers/embedgate.ts';
import { eventually } from '../helpers/eventually.ts';
import { FastClient } from '../helpers/fast-client.ts';
import { statusWith } from '../helpers/requests.ts';
import type { RunningService } from '../helpers/service.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { type FaultLoad, type Met, startFaultLoad } from './rig/fault-load.ts';
import { missingOlderProgram, TwoPrograms, usedOn } from './rig/two-programs.ts';

// An upgrade in which the last release and today's program serve at the same time, as docs/operations.md describes.

const loadForMs = 4_000;
const plenty = 100_000_000;
const limit = 200;

describe('an older program beside today’s', { skip: missingOlderProgram() }, async () => {
  let newer: RunningService;
  const both = untilEnd(await TwoPrograms.open());
  const older = both.older;
  const orgId = await both.organizationOf(plenty, both.program);
  const unlimited = await both.keyOf(orgId, both.program);

  const loadOn = ({ address }: RunningService): FaultLoad =>
    startFaultLoad([{ key: unlimited.key, address: () => address }], { withCached: false });

  test('serves while today’s migrates and starts, and no request to either fails afterwards', async (t) => {
    const loads = [loadOn(older)];
    await setTimeout(1_000);
    newer = await both.startNewer();
    loads.push(loadOn(newer));
    await setTimeout(loadForMs);
    await Promise.all(loads.map((load) => load.stop()));
    t.diagnostic(loads.flatMap(({ met }) => met.map(told)).join('; '));
    loads.forEach(assertNoneFailed);
    const computed = loads.reduce((sum, { met }) => sum + met[0]!.computed, 0);
    for (const { address } of [older, newer]) {
      assert.deepEqual(await usedOn(address, unlimited.key), [computed, computed]);
    }
  });

  test('refuses a key that was revoked on the other one, and vice versa', async () => {
    for (const [by, on] of [
      [older, newer],
      [newer, older],
    ] as const) {
      const { key, key_id: keyId } = await both.keyOf(orgId);
      assert.deepEqual([await statusWith(by.address, key), await statusWith(on.address, key)], [200, 200]);
      const revoked = await fetch(`${by.address}/v1/organizations/${orgId}/keys/${keyId}/revoke`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
      });
      assert.equal(revoked.status, 200);
      await eventually(async () => (await statusWith(on.address, key)) === 401);
      assert.equal(await statusWith(by.address, key), 401);
    }
  });

  test('creates and rotates keys and changes a tier, and so does the other, and both accept what each has made', async () => {
    for (const [program, { address }] of [
      [both.program, older],
      [undefined, newer],
    ] as const) {
      const made = await both.organizationOf(plenty, program);
      const { key, key_id: keyId } = await both.keyOf(made, program);
      const response = await fetch(`${address}/v1/organizations/${made}/keys/${keyId}/rotate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{"grace_seconds": 60}',
      });
      assert.equal(response.status, 201);
      const { key: successor } = (await response.json()) as { key: string };
      const tier = ['orgs', 'set-tier', '--org-id', made, '--tier', 'pro'];
      await embedgateJson(tier, both.environment, program);
      for (const service of [older, newer])
        for (const secret of [key, successor])
          await eventually(async () => (await statusWith(service.address, secret)) === 200);
    }
  });

  test(`grants exactly ${limit} of ${3 * limit} requests together with the other`, async () => {
    const { key } = await both.keyOf(await both.organizationOf(limit));
    using client = new FastClient();
    const answers = await Promise.all(
      Array.from({ length: 3 * limit }, (_, i) =>
        client.embed([older, newer][i % 2]!.address, key, `text ${i}`),
      ),
    );
    const counts = Map.groupBy(answers, ({ status }) => status);
    assert.deepEqual([counts.get(200)?.length, counts.get(429)?.length], [limit, 2 * limit]);
    for (const { address } of [older, newer]) assert.deepEqual(await usedOn(address, key), [limit, limit]);
  });

  test('stops while the other serves on', async () => {
    assert.equal((await older.stop()).code, 0);
    const alone = loadOn(newer);
    await setTimeout(1_000);
    await alone.stop();
    assertNoneFailed(alone);
  });
});

function assertNoneFailed({ met, unexpected }: FaultLoad): void {
  assert.deepEqual(unexpected, []);
  for (const { computed, failed } of met) assert.ok(computed > 0 && failed === 0, `${failed} failed`);
}

function told({ computed, failed, longestMs }: Met): string {
  return `${computed} answered, ${failed} failed, longest wait ${(longestMs / 1_000).toFixed(2)} s`;
}
