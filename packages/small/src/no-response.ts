import { codeOf, messageOf } from './errors.ts';
import { fieldsOf } from './json.ts';

const untrusted = /^(UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT.*)|(DEPTH_ZERO_)?SELF_SIGNED_CERT.*)$/;

/** Returns why `fetch` got no response, with a remedy for causes that have just one, and whether the cause may pass. */
export function noResponse(reason: unknown): { why: string; code: string | undefined; isPassing: boolean } {
  const causes: unknown[] = [];
  for (let cause = reason; cause; cause = fieldsOf(cause).cause) causes.push(cause);
  const code = causes.map(codeOf).find((one) => one !== undefined);
  const message = messageOf(causes.at(-1));
  // Undici states it nowhere else.
  const proxy = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  const ofProxy =
    proxy === '407'
      ? 'put a user and a password that it accepts into its address'
      : 'it must allow this host';
  if (proxy && proxy < '500')
    return { why: `the proxy refuses (${proxy}): ${ofProxy}`, code, isPassing: false };
  if (proxy) return { why: `the proxy returns ${proxy}`, code, isPassing: true };
  const isUntrusted = untrusted.test(code ?? '');
  const remedy =
    '; set NODE_EXTRA_CA_CERTS to a file with the certificate of the authority that has signed its own';
  // With the address, which may be that of the proxy.
  const what = code && message.includes(code) ? message.slice(message.indexOf(code)) : (code ?? message);
  return { why: what + (isUntrusted ? remedy : ''), code, isPassing: !isUntrusted };
}
