/** A value being computed. Its leader settles it once; any number of followers wait for it. */
export class Flight<V> {
  /** Undefined if the leader gave up for a reason that concerns only itself. Followers can then retry. */
  readonly outcome: Promise<V | undefined>;
  readonly #resolve: (value: V | undefined) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #onSettled: (flight: Flight<V>) => void;
  #isSettled = false;
  #followers = 0;
  #onUnfollowed: () => void = () => {};
  #failure: { readonly reason: unknown } | undefined;

  constructor(onSettled: (flight: Flight<V>) => void) {
    const { promise, resolve, reject } = Promise.withResolvers<V | undefined>();
    // Prevents an unhandled rejection when there are no followers. The leader already knows of the failure.
    promise.catch(() => {});
    this.outcome = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#onSettled = onSettled;
  }

  get isFollowed(): boolean {
    return this.#followers > 0;
  }

  /** Why it failed, if it did. */
  get failure(): { readonly reason: unknown } | undefined {
    return this.#failure;
  }

  follow(): void {
    this.#followers += 1;
  }

  unfollow(): void {
    this.#followers -= 1;
    if (this.#followers === 0) this.#onUnfollowed();
  }

  /** Calls `listener`, in place of an earlier one, whenever the last follower has left. */
  onUnfollowed(listener: () => void): void {
    this.#onUnfollowed = listener;
  }

  /** Settles with a value. Like `fail` and `giveUp`, does nothing to a flight that is already settled. */
  land(value: V): void {
    this.#settle(() => this.#resolve(value));
  }

  /** Fails all followers with the same reason. */
  fail(reason: unknown): void {
    this.#settle(() => {
      this.#failure = { reason };
      this.#reject(reason);
    });
  }

  giveUp(): void {
    this.#settle(() => this.#resolve(undefined));
  }

  #settle(outcome: () => void): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#onSettled(this);
    outcome();
  }
}

/** The unsettled flights, at most one per key. */
export class SingleFlight<V> {
  readonly #flights = new Map<string, Flight<V>>();

  get count(): number {
    return this.#flights.size;
  }

  /** Returns the flight to follow, if there is one. */
  get(key: string): Flight<V> | undefined {
    return this.#flights.get(key);
  }

  /** Starts a flight for a key that has none. The caller must settle it, whatever happens. */
  lead(key: string): Flight<V> {
    const flight = new Flight<V>((settled) => {
      if (this.#flights.get(key) === settled) this.#flights.delete(key);
    });
    this.#flights.set(key, flight);
    return flight;
  }
}
