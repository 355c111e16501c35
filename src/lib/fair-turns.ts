import { FairOrder, type Sharer } from './fair-order.ts';

/** A place in a queue of turns, until `end` is called. */
export interface Turn {
  /** Resolves when the turn begins. */
  readonly begun: Promise<void>;
  /** Ends the turn, or leaves the queue. `cost` is what the turn cost beside what it was charged when it began. */
  end(cost?: number): void;
}

/**
 * Runs a part of long work in a turn. `isOver` reports that the turn has taken its time, and that the rest needs
 * another.
 */
export type InTurn = <T>(work: (isOver: () => boolean) => T | Promise<T>) => Promise<T>;

/** Calls `step` for each index below `count`, in as many turns as that takes. */
export async function stepInTurns(
  count: number,
  inTurn: InTurn,
  step: (index: number) => void,
): Promise<void> {
  for (let index = 0; index < count; ) {
    await inTurn((isOver) => {
      do step(index++);
      while (index < count && !isOver());
    });
  }
}

interface Waiting {
  readonly cost: number;
  readonly begin: () => void;
}

interface Queue {
  readonly party: Sharer;
  /** In order of arrival. */
  readonly waiting: Set<Waiting>;
  running: number;
}

/**
 * A queue in which parties wait for their turns. Some turns run at a time, and some of each party. Parties get turns in
 * proportion to their weights, by what the turns cost. A party's own turns begin in order of arrival.
 */
export class FairTurns {
  readonly #maxRunning: number;
  readonly #maxOfParty: number;
  readonly #order = new FairOrder();
  readonly #queues = new Map<string, Queue>();
  #running = 0;

  constructor(maxRunning: number, maxOfParty = maxRunning) {
    this.#maxRunning = maxRunning;
    this.#maxOfParty = maxOfParty;
  }

  /** Returns how many turns of a party have begun and not ended. */
  running(id: string): number {
    return this.#queues.get(id)?.running ?? 0;
  }

  /** Takes a place in the queue. It must be ended, whether or not the turn begins. */
  take(party: Sharer, cost = 0): Turn {
    const queue = this.#queues.get(party.id) ?? { party, waiting: new Set(), running: 0 };
    this.#queues.set(party.id, queue);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const waiting = { cost, begin };
    queue.waiting.add(waiting);
    this.#join(queue);
    this.#beginNext();
    return { begun, end: (more = 0) => this.#end(queue, waiting, more) };
  }

  /** Runs work when it is the party's turn. Settles as the work does. */
  async run<T>(party: Sharer, cost: number, work: () => Promise<T>): Promise<T> {
    const turn = this.take(party, cost);
    await turn.begun;
    try {
      return await work();
    } finally {
      turn.end();
    }
  }

  #join({ party, waiting, running }: Queue): void {
    if (waiting.size > 0 && running < this.#maxOfParty) this.#order.join(party);
    else this.#order.leave(party.id);
  }

  #end(queue: Queue, waiting: Waiting, cost: number): void {
    const { party } = queue;
    if (!queue.waiting.delete(waiting)) {
      queue.running -= 1;
      this.#running -= 1;
      this.#order.owe(party, cost);
    }
    this.#join(queue);
    if (queue.running + queue.waiting.size === 0) this.#queues.delete(party.id);
    this.#beginNext();
  }

  #beginNext(): void {
    while (this.#running < this.#maxRunning) {
      const id = this.#order.first();
      if (id === undefined) return;
      const queue = this.#queues.get(id)!;
      const [first] = queue.waiting;
      queue.waiting.delete(first!);
      queue.running += 1;
      this.#running += 1;
      this.#order.serve(id);
      this.#order.owe(queue.party, first!.cost);
      this.#join(queue);
      first!.begin();
    }
  }
}
