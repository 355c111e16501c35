import { FairOrder, type Sharer } from './fair-order.ts';

/** A place in the line, until `end` is called. */
export interface Turn {
  /** Resolves when the turn begins. */
  readonly begun: Promise<void>;
  /** Ends the turn, or leaves the line. `cost` is what the turn cost beside what it was charged when it began. */
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

interface Line {
  readonly party: Sharer;
  /** In order of arrival. */
  readonly waiting: Set<Waiting>;
  running: number;
}

/**
 * A line in which parties wait for their turns. Some turns run at a time, and some of each party. Parties get turns in
 * proportion to their weights, by what the turns cost. A party's own turns begin in order of arrival.
 */
export class FairTurns {
  readonly #maxRunning: number;
  readonly #maxOfParty: number;
  readonly #order = new FairOrder();
  readonly #lines = new Map<string, Line>();
  #running = 0;

  constructor(maxRunning: number, maxOfParty = maxRunning) {
    this.#maxRunning = maxRunning;
    this.#maxOfParty = maxOfParty;
  }

  /** Returns how many turns of a party have begun and not ended. */
  running(id: string): number {
    return this.#lines.get(id)?.running ?? 0;
  }

  /** Takes a place in the line. It must be ended, whether or not the turn begins. */
  take(party: Sharer, cost = 0): Turn {
    const line = this.#lines.get(party.id) ?? { party, waiting: new Set(), running: 0 };
    this.#lines.set(party.id, line);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const waiting = { cost, begin };
    line.waiting.add(waiting);
    this.#join(line);
    this.#beginNext();
    return { begun, end: (more = 0) => this.#end(line, waiting, more) };
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

  #join({ party, waiting, running }: Line): void {
    if (waiting.size > 0 && running < this.#maxOfParty) this.#order.join(party);
    else this.#order.leave(party.id);
  }

  #end(line: Line, waiting: Waiting, cost: number): void {
    const { party } = line;
    if (!line.waiting.delete(waiting)) {
      line.running -= 1;
      this.#running -= 1;
      this.#order.owe(party, cost);
    }
    this.#join(line);
    if (line.running + line.waiting.size === 0) this.#lines.delete(party.id);
    this.#beginNext();
  }

  #beginNext(): void {
    while (this.#running < this.#maxRunning) {
      const id = this.#order.first();
      if (id === undefined) return;
      const line = this.#lines.get(id)!;
      const [first] = line.waiting;
      line.waiting.delete(first!);
      line.running += 1;
      this.#running += 1;
      this.#order.serve(id);
      this.#order.owe(line.party, first!.cost);
      this.#join(line);
      first!.begin();
    }
  }
}
