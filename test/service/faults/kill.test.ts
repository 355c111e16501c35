import { test } from 'node:test';
import { killUnderLoad } from '../../faults/kill.ts';

test('a service that is killed 6 times under load loses no confirmed request and counts no more than were sent', async (t) => {
  t.diagnostic(await killUnderLoad(6));
});
