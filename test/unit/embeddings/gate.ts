/** Stops each caller until a test releases it. */
export class Gate {
  readonly #waiting: (() => void)[] = [];
  #arrival = Promise.withResolvers<void>();
  #isOpen = false;

  readonly pass = (): Promise<void> => {
    if (this.#isOpen) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.#arrival.resolve();
    this.#arrival = Promise.withResolvers();
    return promise;
  };

  /** Resolves when `count` callers wait here. */
  async reached(count = 1): Promise<void> {
    while (this.#waiting.length < count) await this.#arrival.promise;
  }

  /** Releases the first caller. */
  letOne(): void {
    this.#waiting.shift()?.();
  }

  /** Releases all callers, from now on. */
  open(): void {
    this.#isOpen = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
