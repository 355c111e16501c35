import { serveCalls } from '../../../packages/small/src/threads/serve-calls.ts';
import { currentOrigin, type Origin, withOrigin } from '../../audit/origin.ts';
import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';

/** A call to a store of the thread. */
export interface MethodCall {
  readonly store: string;
  readonly method: string;
  readonly args: readonly unknown[];
  /** The caller's time, in milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** The caller's origin of changes. */
  readonly origin: Origin | undefined;
}

/** The result of a call, or the refusal that it threw: an error would lose its class between threads. */
export type MethodReply = { readonly result: unknown } | { readonly refusal: ServiceError['portable'] };

/** The names of the methods that can be called, by the name of their store. */
export type MethodNames = Readonly<Record<string, readonly string[]>>;

type Methods = Record<string, (...args: readonly unknown[]) => unknown>;

/**
 * Runs another thread's calls one at a time: no call starts before the one before it has settled. `open` returns the
 * stores, whose properties are their methods. It gets a clock that shows the caller's time. `close` is called after the
 * last call.
 */
export function serveInTurn<Stores extends object>(
  open: (clock: Clock) => Stores,
  close: () => void,
): Stores {
  let nowMs = 0;
  const stores = open({ now: () => nowMs });
  const methods = Object.entries(stores) as [string, Methods][];
  const byStore = new Map(methods);
  const names: MethodNames = Object.fromEntries(methods.map(([name, store]) => [name, Object.keys(store)]));
  let last: Promise<unknown> = Promise.resolve();

  serveCalls(
    async (call: MethodCall) => {
      const value = last.then(() => {
        nowMs = call.nowMs;
        const origin = { ...(call.origin ?? currentOrigin()), at: nowMs };
        return withOrigin(origin, () => byStore.get(call.store)![call.method]!(...call.args));
      });
      last = value.catch(() => {});
      const reply = value.then(
        (result): MethodReply => ({ result }),
        (reason): MethodReply => {
          if (!(reason instanceof ServiceError)) throw reason;
          return { refusal: reason.portable };
        },
      );
      return { value: await reply, transfer: [] };
    },
    { ready: names, close: () => last.then(close) },
  );
  return stores;
}
