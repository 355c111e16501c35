/** A map from pairs of integers to integers, none negative. A large table takes 24 to 48 bytes per entry. */
export class PairTable {
  #slots = new Int32Array(3 * 1024).fill(-1);
  #count = 0;

  /** Returns the value, or −1 if there is none. */
  get(first: number, second: number): number {
    return this.#slots[this.#slotOf(first, second) + 2]!;
  }

  set(first: number, second: number, value: number): void {
    if (this.#count * 6 >= this.#slots.length) this.#grow();
    const slot = this.#slotOf(first, second);
    if (this.#slots[slot] === -1) this.#count += 1;
    this.#slots[slot] = first;
    this.#slots[slot + 1] = second;
    this.#slots[slot + 2] = value;
  }

  #slotOf(first: number, second: number): number {
    const slots = this.#slots;
    const mask = slots.length / 3 - 1;
    let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
    let at = (hash ^ (hash >>> 13)) & mask;
    while (slots[3 * at] !== -1 && (slots[3 * at] !== first || slots[3 * at + 1] !== second))
      at = (at + 1) & mask;
    return 3 * at;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2).fill(-1);
    this.#count = 0;
    for (let i = 0; i < old.length; i += 3) if (old[i] !== -1) this.set(old[i]!, old[i + 1]!, old[i + 2]!);
  }
}
