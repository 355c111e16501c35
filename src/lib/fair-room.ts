/** How much one party holds. Begins with zeros; only `FairRoom` changes it. */
export interface Holding {
  shared: number;
  reserved: number;
}

/** The part of a room that is kept for parties that hold little. */
const reservedPart = 1 / 8;
/** The number of parties whose guaranteed amounts fill the reserve. */
const guaranteedParties = 64;

export const heldBy = ({ shared, reserved }: Holding): number => shared + reserved;

/**
 * A bounded room that parties share by dynamic thresholds (Choudhury and Hahne, "Dynamic Queue Length Thresholds for
 * Shared-Memory Packet Switches", 1998). A party may hold as much as is still free (α = 1 there). So its share
 * shrinks as the room fills. An eighth of the room is a reserve, from which each party is guaranteed a small amount.
 */
export class FairRoom {
  readonly #sharedSize: number;
  readonly #reserveSize: number;
  /** What each of `guaranteedParties` can always hold, whatever the others do. */
  readonly guaranteed: number;
  #shared = 0;
  #reserved = 0;

  constructor(size: number) {
    this.#reserveSize = Math.floor(size * reservedPart);
    this.#sharedSize = size - this.#reserveSize;
    this.guaranteed = Math.floor(this.#reserveSize / guaranteedParties);
  }

  /** Returns the size of the smallest room whose `largest` is at least `amount`. */
  static sizeFor(amount: number): number {
    return Math.ceil((2 * amount) / (1 - reservedPart));
  }

  get held(): number {
    return this.#shared + this.#reserved;
  }

  /** Returns the largest amount that a party can take from the empty room. */
  get largest(): number {
    return Math.max(this.guaranteed, Math.floor(this.#sharedSize / 2));
  }

  /** Adds the amount to a party's holding if it fits, and reports whether it did. */
  take(holding: Holding, amount: number): boolean {
    if (this.#isWithinThreshold(holding, amount)) this.takeAnyway(holding, amount);
    else if (this.#isGuaranteed(holding, amount)) {
      holding.reserved += amount;
      this.#reserved += amount;
    } else return false;
    return true;
  }

  /** Adds the amount to a party's holding, whether or not it fits. */
  takeAnyway(holding: Holding, amount: number): void {
    holding.shared += amount;
    this.#shared += amount;
  }

  /** Gives back `amount`, from the reserve first. */
  release(holding: Holding, amount: number): void {
    const reserved = Math.min(amount, holding.reserved);
    holding.reserved -= reserved;
    this.#reserved -= reserved;
    holding.shared -= amount - reserved;
    this.#shared -= amount - reserved;
  }

  /** Returns how much the party must give back before `amount` fits, if nobody else changes. */
  excess(holding: Holding, amount: number): number {
    const free = this.#sharedSize - this.#shared;
    return (heldBy(holding) + amount - (free - amount)) / 2;
  }

  #isWithinThreshold(holding: Holding, amount: number): boolean {
    const isFirst = heldBy(holding) === 0 && amount <= this.largest;
    if (isFirst && amount <= this.#sharedSize - this.#shared) return true;
    return this.excess(holding, amount) <= 0;
  }

  #isGuaranteed({ reserved }: Holding, amount: number): boolean {
    return reserved + amount <= this.guaranteed && this.#reserved + amount <= this.#reserveSize;
  }
}
