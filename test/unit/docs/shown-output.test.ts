import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { assertShown } from '../../docs/shown-output.ts';

const unit = [0.6, 0.8, ...new Array<number>(510).fill(0)];
const answer = (vector: number[], cached = false) => JSON.stringify({ embedding: vector, cached });

test('shown output may differ only in ids, secrets and times', () => {
  const actual = `${randomUUID()}  sk_${'a'.repeat(64)}  2026-11-21T06:57Z  "monthly";r=9999;t=838962\n`;
  assertShown(
    'text',
    `${randomUUID()} sk_… 2030-01-01T00:00Z "monthly";r=9999;t=1`.replaceAll(' ', '   '),
    actual,
  );
  assert.throws(() =>
    assertShown('text', `${randomUUID()}  sk_…  2026-11-21T06:57Z  "monthly";r=9998;t=1`, actual),
  );
  assert.throws(() => assertShown('text', 'key_…  sk_…  2026-11-21T06:57Z  "monthly";r=9999;t=1', actual));
});

test('a vector may be abridged, but its shown part and everything around it may not differ', () => {
  assertShown('json', '{"embedding": [0.6, …], "cached": false}', answer(unit));
  assert.throws(() => assertShown('json', '{"embedding": [0.7, …], "cached": false}', answer(unit)));
  assert.throws(() => assertShown('json', '{"embedding": [0.6, …], "cached": true}', answer(unit)));
  assert.throws(() => assertShown('json', '{"embedding": [0.6, …]}', answer(unit)));
  assert.throws(() => assertShown('json', '{"embedding": [0.6, …], "cached": false}', answer([0.6, 0.8])));
});
