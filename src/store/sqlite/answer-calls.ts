import { parentPort } from 'node:worker_threads';
import type { Call, Reply } from './database-thread.ts';

/** Answers another thread's calls to `stores`, one after the other: what one begins, no other may come between. */
export function answerCalls(stores: Readonly<Record<string, object>>, close: () => void): void {
  const answer = async ({ id, store, method, args }: Call): Promise<Reply> => {
    try {
      const target = stores[store] as Record<string, (...args: unknown[]) => unknown>;
      return { id, value: await target[method]?.(...args) };
    } catch (reason) {
      return { id, error: reason instanceof Error ? reason.message : String(reason) };
    }
  };
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', (message: Call | 'close') => {
    last = last.then(async () => {
      if (message === 'close') {
        close();
        parentPort?.close();
      } else {
        parentPort?.postMessage(await answer(message));
      }
    });
  });
  parentPort?.postMessage('ready');
}
