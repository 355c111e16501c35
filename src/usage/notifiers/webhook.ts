import { createHmac } from 'node:crypto';
import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Notifier, Outcome } from './deliveries.ts';
import { isPublicAddress, PrivateAddressError, publicLookup } from './public-address.ts';
import { unseal } from './targets.ts';

const timeoutMs = 10_000;
const maxUrlLength = 2_000;
/** The receiver says that it is not there any more, and never will be. */
const gone = 410;

export interface WebhookOptions {
  readonly clock: Clock;
  /** What secrets are sealed under. */
  readonly key: Buffer;
  /** Whether requests may go to addresses that the internet does not route. */
  readonly mayBePrivate: boolean;
  /** Resolves names in place of the system's resolver, in tests. */
  readonly resolve?: Parameters<typeof publicLookup>[0];
}

/** Sends notices as Standard Webhooks (https://www.standardwebhooks.com) has it. Redirects are not followed. */
export function webhookNotifier(options: WebhookOptions): Notifier {
  const { clock, key } = options;
  return {
    async send({ messageId, payload }, { address, sealedSecret }, signal) {
      try {
        const timestamp = Math.floor(clock.now() / 1_000);
        const secret = unseal(sealedSecret ?? '', key);
        const headers = {
          'content-type': 'application/json',
          'user-agent': 'Embedgate',
          'webhook-id': messageId,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signature(secret, `${messageId}.${timestamp}.${payload}`),
        };
        const status = await post(new URL(address), headers, payload, signal, options);
        return { delivered: status >= 200 && status < 300, final: status === gone, text: `Status ${status}` };
      } catch (reason) {
        return failure(reason);
      }
    },
  };
}

/** Version 1: HMAC-SHA256 under what the secret holds in base64 behind `whsec_`. */
function signature(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

function post(
  url: URL,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
  { mayBePrivate, resolve }: WebhookOptions,
): Promise<number> {
  if (!mayBePrivate) refusePrivateHost(url);
  const request: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    // A connection of its own, so that each is looked at when it is made.
    agent: false,
    ...(!mayBePrivate && { lookup: publicLookup(resolve) }),
  };
  return new Promise((settle, reject) => {
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, request, (response) => {
      settle(response.statusCode ?? 0);
      response.destroy();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** An address in the URL itself is connected to without being looked up. */
function refusePrivateHost({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host))
    throw new PrivateAddressError(`${host} is a private address`);
}

function failure(reason: unknown): Outcome {
  const { name, code, message } = reason as NodeJS.ErrnoException;
  if (reason instanceof PrivateAddressError) return { delivered: false, final: true, text: message };
  if (name === 'AbortError' || name === 'TimeoutError') {
    return { delivered: false, final: false, text: `No answer within ${timeoutMs / 1_000} seconds` };
  }
  return { delivered: false, final: false, text: code ?? 'The request failed' };
}

/** The URL of a webhook as it is kept. Throws `invalid_request`. */
export function webhookUrl(text: string, mayBePrivate: boolean): string {
  const url = URL.parse(text.trim());
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!url || !isHttp || url.username || url.password || url.href.length > maxUrlLength) {
    throw new ServiceError(
      'invalid_request',
      'address must be an http or https URL without a user in it, such as https://example.com/hook',
      { param: 'address' },
    );
  }
  url.hash = '';
  try {
    if (!mayBePrivate) refusePrivateHost(url);
  } catch (reason) {
    throw new ServiceError('invalid_request', `address: ${(reason as Error).message}`, { param: 'address' });
  }
  return url.href;
}
