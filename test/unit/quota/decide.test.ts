import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { currentRow, decide, quotaId, standingOf, type WindowRow } from '../../../src/quota/decide.ts';
import { type WindowKind, windowAt } from '../../../src/quota/window.ts';
import { assertStanding } from '../../contracts/quota.ts';
import { at, type QuotaCase, quotaCases } from '../../contracts/quota-cases.ts';
import { askOf } from '../../helpers/asks.ts';

describe('the quota rule', () => {
  for (const expected of quotaCases) test(expected.name, () => assertDecided(expected));
});

function assertDecided(expected: QuotaCase): void {
  const { before, window, now, asks } = expected;
  const limit = { requests: expected.limit, window };
  const rowIn = (kind: WindowKind): WindowRow | undefined => {
    const isCounted = before && (kind === 'month' || kind === (before.window ?? window));
    return isCounted ? { startMs: windowAt(kind, at(before.at)).startMs, used: before.used } : undefined;
  };
  const current = currentRow(window, rowIn(window), at(now));
  const month = currentRow('month', rowIn('month'), at(now));
  const { startMs, used } = current;
  const { resetsAtMs } = standingOf(limit, { startMs, used }, at(now));
  const counter = {
    limitId: quotaId,
    keyId: null,
    unit: 'requests',
    amount: expected.limit,
    resetsAtMs,
    used,
  } as const;
  const [run] = decide([{ ask: askOf('key'), count: asks }], [{ ...counter }]);
  const granted = run!.granted;
  if (granted < asks) assert.equal(run!.refusedBy, quotaId);
  assert.equal(granted, expected.granted);
  assertStanding(standingOf(limit, { ...current, used: current.used + granted }, at(now)), expected);
  assert.equal(month.used + granted, expected.monthUsed ?? expected.used);
}
