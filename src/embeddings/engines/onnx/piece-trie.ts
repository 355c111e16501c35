import { PairTable } from './tokenizer/pair-table.ts';

/** A trie that finds all pieces starting at an index of a text. */
export class PieceTrie {
  /** Maps a node and a UTF-16 unit to the next node. The root is 0. */
  readonly #next = new PairTable();
  /** For each node, the piece that ends there, or −1. */
  #ids = new Int32Array(1024).fill(-1);
  #nodes = 1;

  /** Adds a piece. Replaces the id of an equal piece. */
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
   * Finds the pieces that start at `start` and end at or before `end`. Writes their ids to `ids`, shortest first, and
   * returns how many there are. `units` is the text in UTF-16 units. `ids` must have room for one piece of each length.
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
