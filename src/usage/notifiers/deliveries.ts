import type { Clock } from '../../lib/clock.ts';
import type { Target } from './targets.ts';

/** A message to one target, and how that went. Times in milliseconds since the Unix epoch. */
export interface Delivery {
  readonly deliveryId: string;
  /** The message's own id: the same however often it is sent, so that a receiver knows it again. */
  readonly messageId: string;
  readonly orgId: string;
  readonly targetId: string;
  readonly alertId: string | null;
  readonly type: string;
  /** JSON. */
  readonly payload: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly nextAttemptAt: number;
  readonly lastAttemptAt: number | null;
  /** What the last attempt came to, in words. */
  readonly lastOutcome: string | null;
  readonly createdAt: number;
}

export type NewDelivery = Pick<
  Delivery,
  'deliveryId' | 'messageId' | 'orgId' | 'targetId' | 'type' | 'payload'
>;

export interface DeliveryStore {
  enqueue(delivery: NewDelivery, nowMs: number): Promise<Delivery>;
  /** A new delivery of an old one's message. Undefined: there is no such delivery. */
  resend(orgId: string, deliveryId: string, newId: string, nowMs: number): Promise<Delivery | undefined>;
  /** Whether anything waits: asked often, so it is cheap. */
  isDue(nowMs: number): Promise<boolean>;
  /** Takes what is due, and counts the attempt: it is nobody else's until `untilMs`. */
  claim(nowMs: number, untilMs: number, limit: number): Promise<{ delivery: Delivery; target: Target }[]>;
  /** Says how an attempt went; one that somebody else has taken since stays as it is. */
  settle(delivery: Delivery, result: Settlement): Promise<void>;
  /** Newest first; `targetId` null: to all targets. */
  list(orgId: string, targetId: string | null, limit: number): Promise<Delivery[]>;
  /** Forgets what was created before. */
  prune(createdBeforeMs: number): Promise<void>;
}

export interface Settlement {
  readonly status: Delivery['status'];
  readonly outcome: string;
  readonly attemptedAt: number;
  readonly nextAttemptAt: number;
}

/** What came of an attempt. `final`: another would come to the same. */
export interface Outcome {
  readonly delivered: boolean;
  readonly final: boolean;
  readonly text: string;
}

export interface Notifier {
  /** Never rejects: what went wrong is the outcome. */
  send(delivery: Delivery, target: Target, signal: AbortSignal): Promise<Outcome>;
}

/** Waits after the first attempt, the second and so on, as Standard Webhooks suggests; then it has failed. */
const waitsMs = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000];
const pollEveryMs = 5_000;
const atATime = 10;
/** Longer than any attempt takes: until then it is nobody else's. */
const claimMs = 60_000;

interface Parts {
  readonly store: DeliveryStore;
  readonly notifiers: Readonly<Record<Target['kind'], Notifier>>;
  readonly clock: Clock;
  onError(reason: unknown): void;
}

/** Sends what is due, here or on another replica, each by one at a time. */
export class Deliverer {
  readonly #parts: Parts;
  readonly #timer: NodeJS.Timeout;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #again = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.kick(), pollEveryMs).unref();
  }

  /** Looks for what is due now. */
  kick(): void {
    if (this.#closing.signal.aborted) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = this.#run()
      .catch((reason) => this.#parts.onError(reason))
      .finally(() => {
        this.#running = undefined;
        if (this.#again) {
          this.#again = false;
          this.kick();
        }
      });
  }

  /** Breaks off what is being sent, which is then due again. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { store, clock } = this.#parts;
    while (!this.#closing.signal.aborted) {
      const nowMs = clock.now();
      if (!(await store.isDue(nowMs))) return;
      const claimed = await store.claim(nowMs, nowMs + claimMs, atATime);
      if (claimed.length === 0) return;
      await Promise.all(claimed.map(({ delivery, target }) => this.#attempt(delivery, target)));
    }
  }

  async #attempt(delivery: Delivery, target: Target): Promise<void> {
    const { store, notifiers, clock } = this.#parts;
    const outcome = await notifiers[target.kind].send(delivery, target, this.#closing.signal);
    await store.settle(
      delivery,
      settlement(outcome, delivery.attempts, clock.now(), this.#closing.signal.aborted),
    );
  }
}

function settlement(outcome: Outcome, attempts: number, nowMs: number, brokenOff: boolean): Settlement {
  const attempted = { outcome: outcome.text, attemptedAt: nowMs };
  if (outcome.delivered) return { ...attempted, status: 'delivered', nextAttemptAt: nowMs };
  if (brokenOff) return { ...attempted, status: 'pending', nextAttemptAt: nowMs };
  const waitMs = waitsMs[attempts - 1];
  if (outcome.final || waitMs === undefined) return { ...attempted, status: 'failed', nextAttemptAt: nowMs };
  return { ...attempted, status: 'pending', nextAttemptAt: nowMs + waitMs };
}
