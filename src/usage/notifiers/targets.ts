import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Channels } from './channels/channels.ts';
import type { Delivery, DeliveryStore, NewDelivery } from './deliveries.ts';
import type { Notice } from './notice.ts';
import { seal } from './sealed-secret.ts';
import type { NewTarget, Target, TargetStore } from './target.ts';

interface Parts {
  readonly targets: TargetStore;
  readonly deliveries: DeliveryStore;
  readonly clock: Clock;
  readonly channels: Channels;
  /** 32 bytes. Encrypts the secrets of targets. */
  readonly key: Buffer;
  /** Called when a delivery is due. */
  onDue(): void;
}

const maxTargets = 20;
const maxListed = 200;
/** Maximum number of pending deliveries of an organization. Further tests and resends are refused. */
const maxPending = 50;

/** Manages the targets of notices and the deliveries to them. */
export class Targets {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Creates a target. `secret` is null if its channel needs none, and can't be read again later. Throws `invalid_request` and `not_found`.
   */
  async create(input: NewTarget): Promise<{ target: Target; secret: string | null }> {
    const { targets, clock, key, channels } = this.#parts;
    const channel = channels[input.kind];
    const address = channel.parseAddress(input.address);
    const secret = channel.createSecret();
    const target: Target = {
      ...input,
      address,
      targetId: newId(),
      sealedSecret: secret && seal(secret, key),
      createdAt: clock.now(),
    };
    const inserted = await targets.insert(target, maxTargets);
    if (inserted === 'no organization') throw new ServiceError('not_found', 'No such organization');
    if (inserted === 'full') {
      throw new ServiceError('invalid_request', `An organization has at most ${maxTargets} targets`);
    }
    return { target, secret };
  }

  list(orgId: string): Promise<Target[]> {
    return this.#parts.targets.list(orgId);
  }

  /** Throws `not_found`. */
  async delete(orgId: string, targetId: string): Promise<void> {
    if (!(await this.#parts.targets.delete(orgId, targetId))) throw noTarget();
  }

  /** Sends a test notice. Throws `not_found`, and `rate_limit_exceeded` when too many deliveries are pending. */
  test(orgId: string, targetId: string): Promise<Delivery> {
    const notice: Notice = {
      type: 'test',
      timestamp: new Date(this.#parts.clock.now()).toISOString(),
      data: { org_id: orgId, message: 'This is a test: nothing has happened.' },
    };
    return this.#enqueue({
      ...{ deliveryId: newId(), messageId: newId(), orgId, targetId, alertId: null },
      ...{ type: notice.type, payload: JSON.stringify(notice) },
    });
  }

  /** Newest first; `targetId` null returns the deliveries to all targets. */
  deliveries(orgId: string, targetId: string | null): Promise<Delivery[]> {
    return this.#parts.deliveries.list(orgId, targetId, maxListed);
  }

  /**
   * Sends the same message again in a new delivery. The message keeps its id. Throws `not_found`, and
   * `rate_limit_exceeded` when too many deliveries are pending.
   */
  async resend(orgId: string, deliveryId: string): Promise<Delivery> {
    const earlier = await this.#parts.deliveries.find(orgId, deliveryId);
    if (!earlier) throw new ServiceError('not_found', 'No such delivery');
    return this.#enqueue({ ...earlier, deliveryId: newId() });
  }

  async #enqueue({
    deliveryId,
    messageId,
    orgId,
    targetId,
    alertId,
    type,
    payload,
  }: NewDelivery): Promise<Delivery> {
    const { deliveries, onDue } = this.#parts;
    const delivery = { deliveryId, messageId, orgId, targetId, alertId, type, payload };
    const queued = await deliveries.enqueue(delivery, { maxPending });
    if (queued === undefined) throw noTarget();
    if (queued === 'too many') {
      throw new ServiceError(
        'rate_limit_exceeded',
        `${maxPending} notices are waiting to be sent. Try again later`,
        { retryAfterSeconds: 60 },
      );
    }
    onDue();
    return queued;
  }
}

const noTarget = () => new ServiceError('not_found', 'No such target');
