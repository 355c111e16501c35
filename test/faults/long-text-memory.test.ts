import { it } from 'node:test';
import { assertReleased } from './long-text-memory.ts';

const skip = process.platform === 'linux' ? false : 'resident memory is read from /proc';

it('the service releases the memory of a text of 8,192 tokens within a minute', { skip }, async () => {
  await assertReleased({ tokens: 8_192, withinMs: 60_000 });
});
