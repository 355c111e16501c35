import { hash } from 'node:crypto';

const initialSlots = 1 << 12;

/**
 * A set of texts that keeps eight bytes of each: 16 MB for a million. It takes two different ones for the same once in
 * 30 million sets of a million texts.
 */
export class DigestSet {
  #slots = new BigUint64Array(initialSlots);
  #size = 0;

  /** Returns false if the text is in the set. */
  add(text: string): boolean {
    const digest = hash('sha256', text, 'buffer').readBigUInt64LE() || 1n;
    if (!put(this.#slots, digest)) return false;
    this.#size += 1;
    if (this.#size > this.#slots.length / 2) this.#grow();
    return true;
  }

  #grow(): void {
    const larger = new BigUint64Array(2 * this.#slots.length);
    for (const digest of this.#slots) if (digest !== 0n) put(larger, digest);
    this.#slots = larger;
  }
}

/** Puts a digest into the first free slot behind its place. Returns false if it is there. */
function put(slots: BigUint64Array, digest: bigint): boolean {
  const mask = slots.length - 1;
  let at = Number(digest & BigInt(mask));
  while (slots[at] !== 0n) {
    if (slots[at] === digest) return false;
    at = (at + 1) & mask;
  }
  slots[at] = digest;
  return true;
}
