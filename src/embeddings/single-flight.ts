/** A value being computed: its leader settles it once, any number of followers wait for it. */
export class Flight<V> {
  /** Undefined when the leader gave up for a reason of its own: whoever waits may try again himself. */
  readonly outcome: Promise<V | undefined>;
  readonly #resolve: (value: V | undefined) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #onSettled: (flight: Flight<V>) => void;
  #followers = 0;

  constructor(onSettled: (flight: Flight<V>) => void) {
    const { promise, resolve, reject } = Promise.withResolvers<V | undefined>();
    // A failure that nobody follows is its leader's alone, who knows it already.
    promise.catch(() => {});
    this.outcome = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#onSettled = onSettled;
  }

  get isFollowed(): boolean {
    return this.#followers > 0;
  }

  follow(): void {
    this.#followers += 1;
  }

  unfollow(): void {
    this.#followers -= 1;
  }

  /** Like `fail` and `giveUp`, without effect on a flight already settled. */
  land(value: V): void {
    this.#onSettled(this);
    this.#resolve(value);
  }

  /** Followers fail with the same reason. */
  fail(reason: unknown): void {
    this.#onSettled(this);
    this.#reject(reason);
  }

  giveUp(): void {
    this.#onSettled(this);
    this.#resolve(undefined);
  }
}

/** The flights under way, by key: at most one a key. */
export class SingleFlight<V> {
  readonly #flights = new Map<string, Flight<V>>();

  get count(): number {
    return this.#flights.size;
  }

  /** The flight under way, to follow. */
  get(key: string): Flight<V> | undefined {
    return this.#flights.get(key);
  }

  /** Begins a flight where none is under way. Who leads it must settle it, whatever happens. */
  lead(key: string): Flight<V> {
    const flight = new Flight<V>((settled) => {
      if (this.#flights.get(key) === settled) this.#flights.delete(key);
    });
    this.#flights.set(key, flight);
    return flight;
  }
}
