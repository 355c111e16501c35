import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largeResponse } from '../../faults/large-response.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgateJson } from '../../helpers/embedgate.ts';
import { startService } from '../../helpers/service.ts';

test('a client that never reads its response does not prevent the service from writing the counters', async () => {
  using directory = temporaryDirectory();
  const service = await startService({ dataDir: directory.path });
  const { orgId, environment } = service;
  const { socket } = await largeResponse(service);
  assert.deepEqual(await service.stop(), { code: 0, signal: null });
  socket.destroy();
  const usage = await embedgateJson<{ totals: { counted: number } }>(
    ['usage', '--org-id', orgId],
    environment,
  );
  assert.equal(usage.totals.counted, 1);
});
