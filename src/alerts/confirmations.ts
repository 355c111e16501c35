import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Channel } from './channel.ts';

/**
 * Signs the tokens that prove that the sender reads the mails of a channel's address. The service stores no token,
 * and a token is void once its channel is deleted.
 */
export class Confirmations {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  tokenOf({ targetId, address }: Pick<Channel, 'targetId' | 'address'>): string {
    return `${targetId}.${createHmac('sha256', this.#secret).update(`${targetId} ${address}`).digest('base64url')}`;
  }

  /** Returns the id of the channel that a token names. */
  targetOf(token: string): string {
    return token.slice(0, Math.max(0, token.indexOf('.')));
  }

  isOf(token: string, channel: Channel): boolean {
    const [given, expected] = [Buffer.from(token), Buffer.from(this.tokenOf(channel))];
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}
