import type { Clock } from '../../src/lib/clock.ts';
import type { Stores } from '../../src/service/stores.ts';
import { untilEnd } from '../helpers/until-end.ts';

/** How a contract suite opens the stores that it tests: empty, with a clock that the suite controls. */
export type OpenStores = (clock: Clock) => Promise<Stores>;

/** Opens the same stores for suites that run one after another, each with its own clock and organizations. */
export function sharedStores(open: OpenStores): OpenStores {
  let clock: Clock;
  let opened: Promise<Stores> | undefined;
  return async (own) => {
    clock = own;
    opened ??= open({ now: () => clock.now() }).then((stores) => {
      untilEnd({ [Symbol.asyncDispose]: () => stores.close() });
      return stores;
    });
    return { ...(await opened), close: async () => {} };
  };
}

/** Does the same for suites that open two stores on the same data. */
export function sharedPair(prepare: () => Promise<OpenStores>): () => Promise<OpenStores> {
  let pair: OpenStores[] | undefined;
  return async () => {
    if (!pair) {
      const open = await prepare();
      pair = [sharedStores(open), sharedStores(open)];
    }
    const left = [...pair];
    return (clock) => left.shift()!(clock);
  };
}
