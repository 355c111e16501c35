import { createHmac, randomBytes } from 'node:crypto';
import { unseal } from '../sealed-secret.ts';
import { type HttpParts, httpReceivers } from './http-receivers.ts';
import type { ChannelKind, ChannelParts, SendOutcome } from './kind.ts';

export type WebhookParts = Pick<ChannelParts, 'clock' | 'key'> & HttpParts;

/** Sends notices as Standard Webhooks (https://www.standardwebhooks.com) specifies. */
export function webhookChannel(parts: WebhookParts): ChannelKind {
  const { clock, key } = parts;
  const { parseUrl, post } = httpReceivers(parts);
  return {
    parseAddress: parseUrl,

    createSecret: () => `whsec_${randomBytes(24).toString('base64')}`,

    async send({ messageId, payload }, { address, sealedSecret }, signal) {
      const secret = unsealed(sealedSecret, key);
      if (secret === undefined) return unreadableSecret;
      const timestamp = Math.floor(clock.now() / 1_000);
      return post(address, payload, signal, {
        'webhook-id': messageId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature(secret, `${messageId}.${timestamp}.${payload}`),
      });
    },
  };
}

const unreadableSecret: SendOutcome = {
  delivered: false,
  final: true,
  text: 'The secret cannot be read because AUTH_SECRET has changed: remove this channel and add it again',
};

function unsealed(sealedSecret: string | null, key: Buffer): string | undefined {
  try {
    return unseal(sealedSecret ?? '', key);
  } catch {
    return undefined;
  }
}

/** Returns a version 1 signature: HMAC-SHA256 with the key that the secret holds in base64 after `whsec_`. */
function signature(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
