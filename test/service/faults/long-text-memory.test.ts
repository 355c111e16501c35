import { it } from 'node:test';
import { assertReleased } from '../../faults/long-text-memory.ts';

const skip = process.platform === 'linux' ? false : 'resident memory is read from /proc';

it('the service releases the memory of a text of 4,096 tokens within seconds', { skip }, async () => {
  await assertReleased({ tokens: 4_096, withinMs: 10_000 });
});
