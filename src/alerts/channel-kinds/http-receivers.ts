import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { fieldsOf } from '../../../packages/small/src/json.ts';
import { asError, invalidField, messageOf, type ServiceError } from '../../errors.ts';
import type { ChannelParts, SendOutcome } from './kind.ts';
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

export type HttpParts = Pick<ChannelParts, 'mayNotifyPrivateAddresses' | 'webhookProxy'> & {
  /** Replaces the system's resolver in tests. */
  readonly resolve?: LookupFunction;
};

/** Returns functions that send notices to the URLs of receivers. */
export function httpReceivers(parts: HttpParts) {
  const { mayNotifyPrivateAddresses: mayBePrivate } = parts;
  const resolve = lookupInTurn(parts.resolve);
  const lookup = mayBePrivate ? resolve : publicLookup(resolve);
  const proxy = parts.webhookProxy;
  return {
    /**
     * Returns the URL in its stored form. Throws `invalid_request`. A name's addresses are checked only when
     * connecting, because they may change.
     */
    parseUrl: (text: string) => parseUrl(text, mayBePrivate),

    /** Posts JSON, without following redirects. Never rejects. */
    async post(
      address: string,
      body: string,
      signal: AbortSignal,
      headers: Record<string, string> = {},
    ): Promise<SendOutcome> {
      try {
        const url = new URL(address);
        if (!mayBePrivate) refusePrivateHost(url);
        const way = proxy ? through(proxy, url) : { lookup };
        const status = await post(url, headers, body, { ...way, signal });
        return { delivered: status >= 200 && status < 300, final: status === gone, text: `Status ${status}` };
      } catch (reason) {
        return failure(reason);
      }
    },
  };
}

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
  return invalidField('address', `address ${what}`);
}

function post(
  url: URL,
  headers: Record<string, string>,
  body: string,
  connection: Pick<RequestOptions, 'lookup' | 'agent' | 'signal'>,
): Promise<number> {
  const request: RequestOptions = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Embedgate',
      'content-length': Buffer.byteLength(body),
      ...headers,
    },
    // Opens a new connection for each request, so that `lookup` checks each one.
    agent: false,
    ...connection,
  };
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((settle, reject) => {
    const sent = send(url, request, (response) => {
      settle(response.statusCode ?? 0);
      response.destroy();
    });
    // Not AbortSignal.any: Node keeps such a signal for longer than the request, or for ever.
    const timer = setTimeout(() => sent.destroy(new DOMException('', 'TimeoutError')), timeoutMs);
    sent.on('error', reject).on('close', () => clearTimeout(timer));
    sent.end(body);
  });
}

/** Returns the agent for a request through the proxy, which looks up the receiver's name and may be private itself. */
function through(proxy: string, { protocol }: URL): Pick<RequestOptions, 'agent'> {
  const proxyEnv = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
  return { agent: new (protocol === 'https:' ? HttpsAgent : HttpAgent)({ proxyEnv }) };
}

function failure(reason: unknown): SendOutcome {
  const { name, message } = asError(reason);
  if (reason instanceof PrivateAddressError) return { delivered: false, final: true, text: message };
  if (reason instanceof UnusableNameError) return { delivered: false, final: false, text: message };
  if (name === 'AbortError' || name === 'TimeoutError') {
    return { delivered: false, final: false, text: `No response within ${timeoutMs / 1_000} seconds` };
  }
  const { code, statusCode } = fieldsOf(reason);
  const refusal =
    code === 'ERR_PROXY_TUNNEL' && statusCode ? `The proxy returned status ${statusCode}` : code;
  return { delivered: false, final: false, text: String(refusal ?? 'The request failed') };
}
