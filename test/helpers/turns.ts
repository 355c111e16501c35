import { turnsOf } from '../../src/load/event-loop.ts';

/** The turns of a party that nobody else waits with. */
export const inTurn = turnsOf({ id: 'test', weight: 1 });
