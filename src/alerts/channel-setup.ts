import { invalidField, invalidRequest, notFound, ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { type SignedTokens, valueIn } from '../lib/signed-tokens.ts';
import type { Channel, NewChannel } from './channel.ts';
import { type ChannelKinds, kindFor } from './channel-kinds/kinds.ts';
import { isWaiting } from './deliverer.ts';
import type { Delivery, NewDelivery } from './deliveries.ts';
import { newNotice } from './notice.ts';
import { seal } from './sealed-secret.ts';
import type { Channels } from './stored-channels.ts';
import type { Deliveries } from './stored-deliveries.ts';

interface Parts {
  readonly channels: Channels;
  readonly deliveries: Deliveries;
  readonly clock: Clock;
  readonly kinds: ChannelKinds;
  /** 32 bytes. Encrypts the secrets of channels. */
  readonly key: Buffer;
  /** Signs the tokens that prove that a person reads the mails of a channel's address. */
  readonly confirmations: SignedTokens;
  /** Bounds the messages that people cause. */
  readonly counter: Counter;
  /** Called when a delivery is due. */
  onDue(): void;
}

/** How long to wait when the mail server refuses a mail. */
const mailRetrySeconds = 60;

/**
 * Creates and confirms channels, and sends the messages that people ask for: what takes secrets and the network, which
 * the database's thread doesn't have.
 */
export class ChannelSetup {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Creates a channel, or gives the one that is there its name and a stated secret. A channel at an address of Slack,
   * Discord or Teams becomes that kind. `secret` can't be read again later, and is null if the kind needs none or the
   * channel was there. If the address has to be confirmed, sends it a link; without that link there is no channel.
   * Throws `invalid_request`, `not_found`, `rate_limit_exceeded` and `unavailable`.
   */
  async create({
    secret: stated,
    ...input
  }: NewChannel): Promise<{ channel: Channel; secret: string | null }> {
    const { channels, clock, key, kinds, counter } = this.#parts;
    const kindName = kindFor(input.kind, input.address);
    const kind = kinds[kindName];
    const address = kind.parseAddress(input.address);
    if (input.orgId === null && kind.askToConfirm)
      throw invalidField('kind', 'A channel of the installation needs a URL');
    const made = kind.createSecret();
    if (stated !== undefined && made === null) throw invalidField('secret', 'Only a webhook has a secret');
    const secret = stated ?? made;
    const sealedSecret = secret && seal(secret, key);
    const change = stated === undefined ? {} : { sealedSecret };
    const same = await channels.change({ ...input, kind: kindName, address }, change);
    if (same) return { channel: same, secret: null };
    const isConfirmed = !kind.askToConfirm || (await channels.isOfMember(input.orgId!, address));
    if (!isConfirmed) await admitLink(counter, input.orgId!, address);
    const channel: Channel = {
      ...input,
      name: input.name ?? null,
      kind: kindName,
      address,
      targetId: newId(),
      sealedSecret,
      createdAt: clock.now(),
      confirmedAt: isConfirmed ? clock.now() : null,
    };
    await channels.add(channel);
    if (!isConfirmed) {
      await this.#ask(channel).catch(async (reason) => {
        await channels.delete(channel.orgId, channel.targetId);
        throw reason;
      });
    }
    return { channel, secret };
  }

  /**
   * Sends the link that confirms a channel's address again. Throws `not_found`, `invalid_request`,
   * `rate_limit_exceeded` and `unavailable`.
   */
  async askAgain(orgId: string, targetId: string): Promise<void> {
    const channel = await this.#parts.channels.get(orgId, targetId);
    if (!isWaiting(this.#parts.kinds[channel.kind], channel)) {
      throw invalidRequest('This channel needs no confirmation');
    }
    await admitLink(this.#parts.counter, orgId, channel.address);
    await this.#ask(channel);
  }

  /** Confirms the address that a token was sent to. Throws `not_found`. */
  async confirm(token: string): Promise<void> {
    const { channels, confirmations } = this.#parts;
    const channel = await channels.find(valueIn(token));
    if (!channel || !confirmations.isOf(token, channel.address)) {
      throw notFound('This link is not valid, or the channel has been deleted');
    }
    await channels.confirm(channel.targetId);
  }

  async #ask(channel: Channel): Promise<void> {
    const { kinds, confirmations } = this.#parts;
    try {
      await kinds[channel.kind].askToConfirm?.(
        channel,
        confirmations.tokenOf(channel.targetId, channel.address),
        channel.orgId!,
      );
    } catch (cause) {
      throw new ServiceError('unavailable', 'The link that confirms the address could not be mailed', {
        cause,
        retryAfterSeconds: mailRetrySeconds,
      });
    }
  }

  /**
   * Sends a test notice. Throws `not_found`, `invalid_request` before the address is confirmed, and
   * `rate_limit_exceeded`.
   */
  test(orgId: string, targetId: string): Promise<Delivery> {
    const data = { org_id: orgId, message: 'This is a test: nothing has happened.' };
    const message = newNotice('test', data, this.#parts.clock.now());
    return this.#enqueue({ ...message, deliveryId: newId(), orgId, targetId, alertId: null });
  }

  /**
   * Sends the same message again in a new delivery. The message keeps its id. Throws `not_found`, `invalid_request`
   * before the address is confirmed, and `rate_limit_exceeded`.
   */
  async resend(orgId: string, deliveryId: string): Promise<Delivery> {
    const earlier = await this.#parts.deliveries.get(orgId, deliveryId);
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
    const { channels, deliveries, kinds, counter, onDue } = this.#parts;
    const channel = await channels.get(orgId, targetId);
    const kind = kinds[channel.kind];
    if (isWaiting(kind, channel)) {
      throw invalidRequest('The address is not confirmed yet: its owner has to open the link');
    }
    await admitMessage(counter, { orgId, address: kind.askToConfirm ? channel.address : null });
    const delivery = { deliveryId, messageId, orgId, targetId, alertId, type, payload };
    const queued = await deliveries.enqueue(delivery);
    onDue();
    return queued;
  }
}

/** Counts by subject, and throws `rate_limit_exceeded` above a limit. */
interface Counter {
  count(bounds: readonly (readonly [subject: string, limit: number])[], lengthMs: number): Promise<void>;
}

const dayMs = 86_400_000;
/** Maximum numbers per day of messages that people cause: enough for real use, too few to be worth abusing. */
const limits = {
  messages: { organization: 100, address: 20 },
  links: { organization: 100, address: 10, addressOfOrganization: 3 },
};

interface To {
  readonly orgId: string;
  /** The address to bound for all organizations together. Null: only the organization is bounded. */
  readonly address: string | null;
}

/** Counts a test or a message that a person sends again. Throws `rate_limit_exceeded`. */
function admitMessage(counter: Counter, { orgId, address }: To): Promise<void> {
  const { organization, address: perAddress } = limits.messages;
  return counter.count(
    [
      [`notices of ${orgId}`, organization],
      ...(address === null ? [] : [[`notices to ${address}`, perAddress] as const]),
    ],
    dayMs,
  );
}

/** Counts a mail that asks to confirm an address. Throws `rate_limit_exceeded`. */
function admitLink(counter: Counter, orgId: string, address: string): Promise<void> {
  return counter.count(
    [
      [`confirmation of ${address} for ${orgId}`, limits.links.addressOfOrganization],
      [`confirmations for ${orgId}`, limits.links.organization],
      [`confirmations of ${address}`, limits.links.address],
    ],
    dayMs,
  );
}
