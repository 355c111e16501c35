const initialBytes = 65_536;

/** A growing byte buffer that is reused between writes. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(initialBytes);
  /** The position of the next byte. */
  end = 0;

  /** Returns the buffer, with room for `count` bytes after `end`. The caller moves `end` past the bytes it writes. */
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

  /** Copies the bytes from `start` on into memory of their own. A slice of a shared pool would keep the pool alive. */
  copy(start = 0): Buffer {
    const copy = Buffer.allocUnsafeSlow(this.end - start);
    this.#bytes.copy(copy, 0, start, this.end);
    return copy;
  }

  /** Clears the buffer, calls `write` and returns a copy of what it wrote. */
  written(write: () => void): Buffer {
    this.end = 0;
    write();
    return this.copy();
  }
}
