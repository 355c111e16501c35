import type { Sharer } from '../lib/fair-order.ts';
import { FairTurns, type InTurn, type Turn } from '../lib/fair-turns.ts';

/** How long divisible work may run before others get a turn. */
const sliceMs = 0.5;
/** Indivisible work that took longer is followed by a pause. */
const longMs = 1;
/**
 * The length of the pause, as a multiple of the time that the work took. A request takes about ten iterations of the
 * event loop. If long work ran in each of them, all other requests would take ten times as long as that work.
 */
const pauseFactor = 4;

/** The process's only queue for the event loop. */
const turns = new FairTurns(1);

/** Takes a place in the queue for the event loop. `runInTurn` ends the turn. */
export const takeLoopTurn = (party: Sharer): Turn => turns.take(party);

/**
 * Runs work in a turn that has begun, and lets others have the event loop before the next turn begins. `spentMs` is
 * what the work has taken before.
 */
export function runInTurn<T>(turn: Turn, work: (isOver: () => boolean) => T, spentMs = 0): T {
  const beganMs = performance.now() - spentMs;
  try {
    return work(() => performance.now() - beganMs >= sliceMs);
  } finally {
    const tookMs = performance.now() - beganMs;
    const end = () => turn.end(tookMs);
    if (tookMs > longMs) setTimeout(end, pauseFactor * tookMs);
    else setImmediate(end);
  }
}

/**
 * Returns a function that runs a party's work on the event loop in its turns. All work whose length a client decides
 * must run in turns: whether it parses, reads or writes what the client sent or asked for.
 */
export function turnsOf(party: Sharer): InTurn {
  return async (work) => {
    const turn = takeLoopTurn(party);
    await turn.begun;
    return await runInTurn(turn, work);
  };
}

/** Returns the turns of an organization's batches, which don't delay its requests. */
export const batchTurns = (orgId: string): InTurn => turnsOf({ id: `batches ${orgId}`, weight: 1 });
