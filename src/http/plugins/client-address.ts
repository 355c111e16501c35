import { isIP } from 'node:net';
import type { App } from '../app-types.ts';

const header = 'x-forwarded-for';
/** More than there are proxies between a client and the service. A client can write thousands in front of them. */
const maxHops = 32;
/** The most characters of so many addresses, with ports, brackets and quotes. */
const maxLength = 2_048;

/**
 * Leaves nothing but addresses in X-Forwarded-For, from which `request.ip` is made. Gateways add ports, brackets and
 * quotes, and RFC 7239 allows words. With each port, a client would otherwise count as another one. Without any address
 * in the header, the client's is that of the connection.
 */
export function clientAddress(app: App): void {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const stated = headers[header];
    if (stated !== undefined) {
      const entries = [stated].flat().join().slice(-maxLength).split(',').slice(-maxHops).map(bareAddress);
      // A proxy appends what it knows, so what stands before a word is what the client itself has sent.
      const addresses = entries.slice(entries.findLastIndex((entry) => !isIP(entry)) + 1);
      if (addresses.length > 0) headers[header] = addresses.join();
      else delete headers[header];
    }
    done();
  });
}

const bareAddress = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1');
