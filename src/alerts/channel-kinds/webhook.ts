import { createHmac, randomBytes } from 'node:crypto';
import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { asError, codeOf, messageOf, ServiceError } from '../../errors.ts';
import { unseal } from '../sealed-secret.ts';
import type { ChannelKind, ChannelParts, Outcome } from './kind.ts';
import {
  lookupInTurn,
  PrivateAddressError,
  publicLookup,
  refusePrivateHost,
  UnusableNameError,
} from './public-address.ts';

const timeoutMs = 10_000;
const maxUrlLength = 2_000;
/** The status of a receiver that is permanently gone. */
const gone = 410;

export type WebhookParts = Pick<ChannelParts, 'clock' | 'key' | 'mayNotifyPrivateAddresses'> & {
  /** Replaces the system's resolver in tests. */
  readonly resolve?: LookupFunction;
};

/** Sends notices as Standard Webhooks (https://www.standardwebhooks.com) specifies. Does not follow redirects. */
export function webhookChannel(parts: WebhookParts): ChannelKind {
  const { clock, key, mayNotifyPrivateAddresses: mayBePrivate } = parts;
  const resolve = lookupInTurn(parts.resolve);
  const lookup = mayBePrivate ? resolve : publicLookup(resolve);
  return {
    parseAddress: (text) => parseUrl(text, mayBePrivate),

    createSecret: () => `whsec_${randomBytes(24).toString('base64')}`,

    async send({ messageId, payload }, { address, sealedSecret }, signal) {
      const secret = unsealed(sealedSecret, key);
      if (secret === undefined) return unreadableSecret;
      try {
        const timestamp = Math.floor(clock.now() / 1_000);
        const headers = {
          'content-type': 'application/json',
          'user-agent': 'Embedgate',
          'webhook-id': messageId,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signature(secret, `${messageId}.${timestamp}.${payload}`),
        };
        const url = new URL(address);
        if (!mayBePrivate) refusePrivateHost(url);
        const status = await post(url, headers, payload, { lookup, signal });
        return { delivered: status >= 200 && status < 300, final: status === gone, text: `Status ${status}` };
      } catch (reason) {
        return failure(reason);
      }
    },
  };
}

/**
 * Returns the URL in its stored form. Throws `invalid_request`. A name's addresses are checked only when connecting,
 * because they may change.
 */
function parseUrl(text: string, mayBePrivate: boolean): string {
  const url = URL.parse(text.trim());
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!url || !isHttp || url.username || url.password || url.href.length > maxUrlLength) {
    throw wrongAddress('must be an http or https URL without a user in it, such as https://example.com/hook');
  }
  url.hash = '';
  try {
    if (!mayBePrivate) refusePrivateHost(url);
  } catch (reason) {
    throw wrongAddress(`cannot be used: ${messageOf(reason)}`);
  }
  return url.href;
}

function wrongAddress(what: string): ServiceError {
  return new ServiceError('invalid_request', `address ${what}`, { param: 'address' });
}

const unreadableSecret: Outcome = {
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

function post(
  url: URL,
  headers: Record<string, string>,
  body: string,
  { lookup, signal }: { lookup: LookupFunction; signal: AbortSignal },
): Promise<number> {
  const request: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    // Opens a new connection for each request, so that `lookup` checks each one.
    agent: false,
    lookup,
  };
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((settle, reject) => {
    const sent = send(url, request, (response) => {
      settle(response.statusCode ?? 0);
      response.destroy();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function failure(reason: unknown): Outcome {
  const { name, message } = asError(reason);
  if (reason instanceof PrivateAddressError) return { delivered: false, final: true, text: message };
  if (reason instanceof UnusableNameError) return { delivered: false, final: false, text: message };
  if (name === 'AbortError' || name === 'TimeoutError') {
    return { delivered: false, final: false, text: `No response within ${timeoutMs / 1_000} seconds` };
  }
  return { delivered: false, final: false, text: codeOf(reason) ?? 'The request failed' };
}
