import { parentPort } from 'node:worker_threads';
import type { Call, Reply } from './database-thread.ts';

/** A store, or how it is loaded at its first call. */
export type Answering = object | (() => Promise<object>);

/** Answers another thread's calls to `stores`, one after the other: what one begins, no other may come between. */
export function answerCalls(stores: Readonly<Record<string, Answering>>, close: () => void): void {
  const opened = new Map<string, object>();
  const open = async (name: string): Promise<object> => {
    const store = stores[name];
    const loaded = typeof store === 'function' ? await store() : (store as object);
    opened.set(name, loaded);
    return loaded;
  };
  const answer = async ({ id, store, method, args }: Call): Promise<Reply> => {
    try {
      const target = opened.get(store) ?? (await open(store));
      return {
        id,
        value: await (target as Record<string, (...args: unknown[]) => unknown>)[method]?.(...args),
      };
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
