import { lazily } from '../../lib/lazily.ts';
import { answerCalls } from '../../lib/threads/answer-calls.ts';
import type { Call } from './database-thread.ts';

type Stores = Readonly<Record<string, object>>;

export interface Answering {
  readonly stores: Stores;
  /** Brings the stores that are not among `stores`, when one of them is called first; calls to others don't wait for it. */
  readonly load?: () => Promise<Stores>;
  /** Called after the last call's answer. */
  readonly close: () => void;
}

/** Answers another thread's calls, one after the other: what one begins, no other may come between. */
export function answerInTurn({ stores, load, close }: Answering): void {
  let known = stores;
  let last: Promise<unknown> = Promise.resolve();
  const others = lazily(async () => {
    known = { ...known, ...(await load?.()) };
  });

  answerCalls(
    async ({ store, method, args }: Call) => {
      if (!(store in known)) await others.get();
      const run = async (): Promise<unknown> =>
        (known[store] as Record<string, (...args: readonly unknown[]) => unknown>)[method]!(...args);
      const value = last.then(run);
      last = value.catch(() => {});
      return { value: await value, transfer: [] };
    },
    { close: () => last.then(close) },
  );
}
