import type { Clock } from '../../lib/clock.ts';
import { harmless } from '../../lib/harmless.ts';
import type { Mailer } from '../../lib/mailer.ts';
import { type Notice, noticeText } from '../notice.ts';

/** What is sent to a channel. */
export interface Message {
  readonly deliveryId: string;
  /**
   * The message's own id. Stays the same when the message is sent again, so that receivers can recognize duplicates.
   */
  readonly messageId: string;
  /** A `Notice` as JSON, exactly as it is signed. */
  readonly payload: string;
}

/** Where a message is sent. */
export interface Destination {
  /** As `parseAddress` returned it. */
  readonly address: string;
  /** Encrypted; null if the kind needs no secret. */
  readonly sealedSecret: string | null;
}

/** How notices reach the channels of one kind, such as mail. */
export interface ChannelKind {
  /** Returns a channel's address in its stored form. Throws `invalid_request`. */
  parseAddress(text: string): string;
  /**
   * Returns a secret for a new channel, or null if the kind needs none. The user sees it once; it is stored encrypted.
   */
  createSecret(): string | null;
  /**
   * Sends a token to a new channel's address, which proves that its receiver wants the notices. Missing: the kind needs
   * no such proof. Throws if it can't be sent.
   */
  readonly askToConfirm?: (to: Destination, token: string, orgId: string) => Promise<void>;
  /**
   * Makes one attempt, with a deadline of its own of at most 20 seconds. Never rejects: failures are part of the outcome.
   * Cancels the attempt at the signal.
   */
  send(message: Message, to: Destination, signal: AbortSignal): Promise<SendOutcome>;
}

/** The result of an attempt. */
export interface SendOutcome {
  readonly delivered: boolean;
  /** Whether further attempts would fail in the same way. */
  readonly final: boolean;
  readonly text: string;
}

/** What the kinds are opened with. */
export interface ChannelParts {
  readonly mailer: Mailer | null;
  readonly clock: Clock;
  /** 32 bytes. Encrypts the secrets of channels. */
  readonly key: Buffer;
  /** The origin of links to the dashboard; null: messages have no link. */
  readonly publicUrl: string | null;
  /** Whether requests may go to addresses that the internet does not route. */
  readonly mayNotifyPrivateAddresses: boolean;
  /** The address of the HTTP proxy that requests go through. */
  readonly webhookProxy?: string | null;
  /** Returns an organization's name. */
  nameOf(orgId: string): Promise<string>;
}

/** Returns a message for people, and the link to the dashboard, which is empty if the service has no public address. */
export async function textFor(
  payload: string,
  { nameOf, publicUrl }: Pick<ChannelParts, 'nameOf' | 'publicUrl'>,
): Promise<{ subject: string; text: string; link: string }> {
  const notice: Notice = JSON.parse(payload);
  const { org_id: orgId } = notice.data;
  const link = publicUrl === null ? '' : `${publicUrl}/organizations/${orgId}`;
  return { ...noticeText(notice, harmless(await nameOf(orgId))), link };
}
