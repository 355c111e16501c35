import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId, nilId, storedId } from '../../../src/lib/ids.ts';

describe('identifiers', () => {
  it('are version 7 UUIDs that hold the time of their creation, and sort by it', () => {
    const beforeMs = Date.now();
    const ids = Array.from({ length: 10_000 }, newId);
    for (const id of ids)
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(ids, [...new Set(ids)].sort());
    const createdMs = Number.parseInt(ids[0]!.replace('-', '').slice(0, 12), 16);
    assert.ok(createdMs >= beforeMs && createdMs <= Date.now());
  });

  it('are found in upper case', () => {
    const id = newId();
    assert.equal(storedId(id.toUpperCase()), id);
    assert.equal(storedId(nilId), nilId);
  });

  it('have no other form', () => {
    const id = newId();
    const texts = [
      '',
      'org_0',
      `org_${'0A'.repeat(12)}`,
      `${id}0`,
      ` ${id}`,
      `${id}\n`,
      id.replaceAll('-', ''),
      `{${id}}`,
      '\0',
    ];
    for (const text of texts) assert.equal(storedId(text), undefined, JSON.stringify(text));
  });
});
