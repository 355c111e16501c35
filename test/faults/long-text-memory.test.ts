import assert from 'node:assert/strict';
import { it } from 'node:test';
import { memoryAfter } from './long-text-memory.ts';

const skip = process.platform === 'linux' ? false : 'resident memory is read from /proc';

it('the service releases the memory of a text of 4,096 tokens at once', { skip }, async () => {
  const ratio = await memoryAfter({ tokens: 4_096, waitMs: 500 });
  assert.ok(ratio <= 1.3, `resident memory is ${ratio.toFixed(2)} times what it was before the text`);
});
