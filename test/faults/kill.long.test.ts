import { test } from 'node:test';
import { killUnderLoad } from './kill.ts';

test('killed 20 times under load, nothing answered is lost, and no more is counted than was sent', async (t) => {
  t.diagnostic(await killUnderLoad(20));
});
