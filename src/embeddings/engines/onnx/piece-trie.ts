interface Node {
  /** The piece that ends here; −1 where none does. */
  id: number;
  /** By UTF-16 unit. */
  readonly children: Map<number, Node>;
}

/** Finds every piece that starts at a place in a text. */
export class PieceTrie {
  readonly #root = newNode();

  /** Of two equal pieces, the one added later stays. */
  add(piece: string, id: number): void {
    let node = this.#root;
    for (let i = 0; i < piece.length; i++) {
      const unit = piece.charCodeAt(i);
      let child = node.children.get(unit);
      if (!child) {
        child = newNode();
        node.children.set(unit, child);
      }
      node = child;
    }
    node.id = id;
  }

  /**
   * Writes the ids of the pieces that start at `start` of a text, given as UTF-16 units, into `ids`, shorter ones first. Returns how
   * many. `ids` must have room for a piece of every length.
   */
  match(units: Uint16Array, start: number, ids: Int32Array): number {
    let count = 0;
    let node: Node | undefined = this.#root;
    for (let i = start; i < units.length; i++) {
      node = node.children.get(units[i]!);
      if (!node) break;
      if (node.id >= 0) ids[count++] = node.id;
    }
    return count;
  }
}

const newNode = (): Node => ({ id: -1, children: new Map() });
