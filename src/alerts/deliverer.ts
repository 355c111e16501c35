import { inStepsOfEach } from '../lib/in-steps.ts';
import type { Channel } from './channel.ts';
import type { ChannelKind, SendOutcome } from './channel-kinds/kind.ts';
import type { ChannelKinds } from './channel-kinds/kinds.ts';
import type { Claim, Delivery, Settlement } from './deliveries.ts';
import type { Deliveries } from './stored-deliveries.ts';

/**
 * Delays after the first failed attempt, the second and so on, as Standard Webhooks suggests. The attempt after the
 * last delay is final.
 */
const waitsMs = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000];
const maxAtATime = 32;
/**
 * A receiver that does not respond occupies a slot until the deadline. With this limit, it delays only the
 * channels of its own organization, or those of the installation.
 */
const maxAtATimePerOrganization = 4;
/** Longer than any attempt takes. */
const claimMs = 120_000;
/** How long a shutdown waits for attempts in progress. */
const closingMs = 3_000;

interface Parts {
  readonly deliveries: Deliveries;
  readonly kinds: ChannelKinds;
  onError(reason: unknown): void;
}

/** Sends deliveries that are due. Replicas share the work: only one replica claims a delivery at a time. */
export class Deliverer {
  readonly #parts: Parts;
  readonly #breakOff = new AbortController();
  /** The attempts in progress, each with the organization of its channel. Null: the installation. */
  readonly #sending = new Map<Promise<void>, string | null>();
  /** The organizations with attempts since the last `pruneExcess`. */
  readonly #attempted = new Set<string>();
  #claiming: Promise<void> | undefined;
  #again = false;
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Checks for deliveries that are due. */
  kick(): void {
    if (this.#closed) return;
    this.#again = true;
    this.#claiming ??= this.#claim()
      .catch((reason) => this.#parts.onError(reason))
      .finally(() => {
        this.#claiming = undefined;
        // `kick` was called while this check was ending.
        if (this.#again && this.#sending.size < maxAtATime) this.kick();
      });
  }

  /** Resolves when no delivery that is due waits here. */
  async idle(): Promise<void> {
    while (this.#claiming || this.#sending.size > 0)
      await Promise.all([this.#claiming, ...this.#sending.keys()]);
  }

  /** Stops claiming deliveries. Attempts that don't finish in time are cancelled and become due again. */
  async close(): Promise<void> {
    this.#closed = true;
    const timer = setTimeout(() => this.#breakOff.abort(), closingMs);
    await this.idle();
    clearTimeout(timer);
  }

  async #claim(): Promise<void> {
    const { deliveries } = this.#parts;
    while (this.#again && !this.#closed) {
      const limit = maxAtATime - this.#sending.size;
      if (limit === 0) return;
      this.#again = false;
      const taken = new Map<string | null, number>();
      for (const orgId of this.#sending.values()) taken.set(orgId, (taken.get(orgId) ?? 0) + 1);
      const bounds = { limit, perOrganization: maxAtATimePerOrganization, taken };
      for (const claim of await deliveries.claim(claimMs, bounds)) this.#start(claim);
    }
  }

  /** Deletes the oldest finished deliveries of the organizations whose deliveries this process has attempted. */
  pruneExcess(keep: number, signal: AbortSignal): Promise<void> {
    return inStepsOfEach(this.#attempted, (orgId) => this.#parts.deliveries.pruneExcess(orgId, keep), signal);
  }

  #start(claim: Claim): void {
    this.#attempted.add(claim.delivery.orgId);
    const sending: Promise<void> = this.#attempt(claim)
      .catch((reason) => this.#parts.onError(reason))
      .finally(() => {
        this.#sending.delete(sending);
        // The organization's next delivery may have been waiting for this slot.
        this.kick();
      });
    this.#sending.set(sending, claim.channel.orgId);
  }

  async #attempt({ delivery, channel }: Claim): Promise<void> {
    const { deliveries, kinds } = this.#parts;
    const { signal } = this.#breakOff;
    const kind = kinds[channel.kind];
    const outcome = isWaiting(kind, channel) ? notConfirmed : await kind.send(delivery, channel, signal);
    const isBrokenOff = !outcome.delivered && signal.aborted;
    const settled = isBrokenOff ? notSent(delivery) : settlement(outcome, delivery.attempts);
    await deliveries.settle(delivery, settled);
  }
}

function settlement(outcome: SendOutcome, attempts: number): Settlement {
  const attempted = { attempts, lastOutcome: outcome.text };
  if (outcome.delivered) return { ...attempted, status: 'delivered', waitMs: 0 };
  const waitMs = waitsMs[attempts - 1];
  if (outcome.final || waitMs === undefined) return { ...attempted, status: 'failed', waitMs: 0 };
  return { ...attempted, status: 'pending', waitMs };
}

/** Reports whether nothing may be sent to a channel because its address is not confirmed yet. */
export const isWaiting = ({ askToConfirm }: ChannelKind, { confirmedAt }: Channel): boolean =>
  askToConfirm !== undefined && confirmedAt === null;

const notConfirmed: SendOutcome = { delivered: false, final: true, text: 'The address is not confirmed' };

/** A cancelled attempt does not count, because a shutdown is not the channel's fault. */
function notSent({ attempts }: Delivery): Settlement {
  return { status: 'pending', attempts: attempts - 1, waitMs: 0, lastOutcome: 'Interrupted by a shutdown' };
}
