const initialBytes = 65_536;

/** Bytes that grow as they are written, in room that is used again and again. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(initialBytes);
  /** Where the next byte goes. */
  end = 0;

  /** The bytes, with room for `count` more behind `end`; whoever writes there moves `end`. */
  reserve(count: number): Buffer {
    const needed = this.end + count;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.end);
      this.#bytes = larger;
    }
    return this.#bytes;
  }

  text(text: string): void {
    this.end += this.reserve(3 * text.length).write(text, this.end);
  }

  add(bytes: Uint8Array): void {
    this.reserve(bytes.length).set(bytes, this.end);
    this.end += bytes.length;
  }

  /** What was written from `start` on, in a memory of its own: part of a shared one would keep the whole there. */
  copy(start = 0): Buffer {
    const copy = Buffer.allocUnsafeSlow(this.end - start);
    this.#bytes.copy(copy, 0, start, this.end);
    return copy;
  }

  /** What `write` writes, and nothing that was written before. */
  written(write: () => void): Buffer {
    this.end = 0;
    write();
    return this.copy();
  }
}
