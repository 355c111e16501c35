import type { Clock } from '../../src/lib/clock.ts';
import type { Stores } from '../../src/store/stores.ts';

/** How a contract suite opens the stores that it tests: empty, with a clock that the suite controls. */
export type OpenStores = (clock: Clock) => Promise<Stores>;
