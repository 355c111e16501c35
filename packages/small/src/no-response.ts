import { codeOf, messageOf } from './errors.ts';
import { fieldsOf } from './json.ts';

const untrusted = /^(UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT.*)|(DEPTH_ZERO_)?SELF_SIGNED_CERT.*)/;
const trust =
  'set NODE_EXTRA_CA_CERTS to a file with the certificate of the authority that has signed its own';

/** Returns why `fetch` got no response, with a remedy for causes that have just one. Begins with a code if there is one. */
export function noResponse(reason: unknown): string {
  const causes: unknown[] = [];
  for (let cause = reason; cause; cause = fieldsOf(cause).cause) causes.push(cause);
  const code = causes.map(codeOf).find((one) => one !== undefined);
  const message = messageOf(causes.at(-1));
  // Undici states it nowhere else.
  const proxy = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  const remedy =
    proxy === '407'
      ? 'put a user and a password that it accepts into its address'
      : 'it must allow this host';
  if (proxy) return proxy < '500' ? `the proxy refuses (${proxy}): ${remedy}` : `the proxy returns ${proxy}`;
  // With the address, which may be that of the proxy.
  const what = code && message.includes(code) ? message.slice(message.indexOf(code)) : (code ?? message);
  return untrusted.test(what) ? `${code}; ${trust}` : what;
}
