import { PairTable } from './tokenizer/pair-table.ts';

/** Finds every piece that starts at a place in a text. */
export class PieceTrie {
  /** From a node and a UTF-16 unit to a node; the root is 0. */
  readonly #next = new PairTable();
  /** By node: the piece that ends there, −1 where none does. */
  #ids = new Int32Array(1024).fill(-1);
  #nodes = 1;

  /** Of two equal pieces, the one added later stays. */
  add(piece: string, id: number): void {
    let node = 0;
    for (let i = 0; i < piece.length; i++) {
      const unit = piece.charCodeAt(i);
      let next = this.#next.get(node, unit);
      if (next < 0) {
        next = this.#newNode();
        this.#next.set(node, unit, next);
      }
      node = next;
    }
    this.#ids[node] = id;
  }

  /**
   * Writes the ids of the pieces that start at `start` and end by `end` of a text, given as UTF-16 units, into `ids`, shorter ones first. Returns how
   * many. `ids` must have room for a piece of every length.
   */
  match(units: Uint16Array, start: number, ids: Int32Array, end = units.length): number {
    let count = 0;
    let node = 0;
    for (let i = start; i < end; i++) {
      node = this.#next.get(node, units[i]!);
      if (node < 0) break;
      const id = this.#ids[node]!;
      if (id >= 0) ids[count++] = id;
    }
    return count;
  }

  #newNode(): number {
    if (this.#nodes === this.#ids.length) {
      const grown = new Int32Array(this.#ids.length * 2).fill(-1);
      grown.set(this.#ids);
      this.#ids = grown;
    }
    return this.#nodes++;
  }
}
