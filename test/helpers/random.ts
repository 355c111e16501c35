/** Numbers that a seed determines (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Returns a whole number from 0 to `end` - 1. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  chance(share: number): boolean {
    return this.below(1_000_000) < share * 1_000_000;
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.below(16).toString(16)).join('');
  }
}
