import { FairOrder, type Party } from './fair-order.ts';

interface Turn {
  readonly cost: number | (() => number);
  readonly begin: () => void;
}

/**
 * Runs work of several parties, a few pieces at a time, in a fair order. A party's own pieces run in order of arrival.
 */
export class FairTurns {
  readonly #maxRunning: number;
  readonly #order = new FairOrder();
  readonly #waiting = new Map<string, Turn[]>();
  #running = 0;

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  /** Resolves when it is the party's turn, with a function that ends the turn. A function returns the cost at that time. */
  take(party: Party, cost: Turn['cost']): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<() => void>();
    const turn = { cost, begin: () => resolve(() => this.#end()) };
    const turns = this.#waiting.get(party.id);
    if (turns) turns.push(turn);
    else this.#waiting.set(party.id, [turn]);
    this.#order.join(party);
    this.#beginNext();
    return promise;
  }

  /** Runs work when it is the party's turn. Settles as the work does. */
  async run<T>(party: Party, cost: Turn['cost'], work: () => Promise<T>): Promise<T> {
    const end = await this.take(party, cost);
    try {
      return await work();
    } finally {
      end();
    }
  }

  #end(): void {
    this.#running -= 1;
    this.#beginNext();
  }

  #beginNext(): void {
    if (this.#running >= this.#maxRunning) return;
    const [id] = this.#order.next(0);
    if (id === undefined) return;
    const turns = this.#waiting.get(id)!;
    const { cost, begin } = turns.shift()!;
    this.#order.serve(id);
    this.#order.charge(id, typeof cost === 'function' ? cost() : cost);
    if (turns.length === 0) {
      this.#waiting.delete(id);
      this.#order.leave(id);
    }
    this.#running += 1;
    begin();
  }
}
