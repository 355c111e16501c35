import { threadId, workerData } from 'node:worker_threads';
import { serveCalls } from '../../src/threads/serve-calls.ts';

if (workerData === 'broken') throw new Error('broken from the start');
// The second of the threads that share this count can't start.
if (workerData instanceof SharedArrayBuffer) {
  if (Atomics.add(new Int32Array(workerData), 0, 1) === 1) throw new Error('no room for another');
}

serveCalls(async (request: string) => {
  if (request === 'throw') throw new Error('thrown', { cause: new Error('the cause') });
  if (request === 'throw a function') throw new Error('thrown', { cause: () => {} });
  if (request === 'exit') process.exit(3);
  if (request === 'crash')
    setImmediate(() => {
      throw new Error('crashed');
    });
  if (request === 'crash' || request === 'hang') await new Promise(() => {});
  return { value: request === 'thread' ? `${threadId}` : `${request}!`, transfer: [] };
});
