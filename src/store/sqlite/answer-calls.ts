import { parentPort } from 'node:worker_threads';
import { lazily } from '../../lib/lazily.ts';
import type { Call, Reply } from './database-thread.ts';

type Stores = Readonly<Record<string, object>>;

export interface Answering {
  readonly stores: Stores;
  /** Brings the stores that are not among `stores`, when one of them is called first; calls to others don't wait for it. */
  readonly load?: () => Promise<Stores>;
  /** Called after the last call's answer. */
  readonly close: () => void;
}

/** Answers another thread's calls, one after the other: what one begins, no other may come between. */
export function answerCalls({ stores, load, close }: Answering): void {
  let known = stores;
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => void | Promise<void>): void => {
    last = last.then(work);
  };
  const others = lazily(async () => {
    known = { ...known, ...(await load?.()) };
  });
  const answer = (call: Call): void =>
    inTurn(async () => parentPort?.postMessage(await replyTo(call, known)));

  parentPort?.on('message', async (message: Call | 'close') => {
    if (message === 'close') {
      // Calls that wait for the loading came before.
      await others.loaded();
      inTurn(() => {
        close();
        parentPort?.close();
      });
    } else if (message.store in known) {
      answer(message);
    } else {
      await others.get().then(
        () => answer(message),
        (reason) => parentPort?.postMessage(failed(message.id, reason)),
      );
    }
  });
  parentPort?.postMessage('ready');
}

async function replyTo({ id, store, method, args }: Call, stores: Stores): Promise<Reply> {
  try {
    const target = stores[store] as Record<string, (...args: unknown[]) => unknown>;
    return { id, value: await target[method]!(...args) };
  } catch (reason) {
    return failed(id, reason);
  }
}

const failed = (id: number, reason: unknown): Reply => ({
  id,
  error: reason instanceof Error ? reason.message : String(reason),
});
