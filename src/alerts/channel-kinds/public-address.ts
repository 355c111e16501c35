import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { bulkhead } from 'cockatiel';

/** Networks that the internet does not route (RFC 6890 and its registry), and other notations of such addresses. */
const v4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** Public by number, but reachable only from within a cloud: Azure's metadata and DNS, IBM's private services. */
const clouds = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'];
/** The only public IPv6 range is the global one, except for Teredo, ORCHID, documentation and 6to4 addresses in it. */
const v6Public = '2000::/3';
const v6Reserved = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const reserved = new BlockList();
const globalV6 = new BlockList();
add(reserved, [...v4, ...clouds], 'ipv4');
add(reserved, v6Reserved, 'ipv6');
add(globalV6, [v6Public], 'ipv6');

/** Reports whether the internet routes this address. An IPv4 address in IPv6 notation is never public. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !reserved.check(address, 'ipv4');
  return globalV6.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}

export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/**
 * A name that can't be connected to. All reasons share one message: different ones would reveal which names the network
 * knows.
 */
export class UnusableNameError extends Error {
  override readonly name = 'UnusableNameError';

  constructor(hostname: string, cause: unknown) {
    super(`${hostname} does not lead to a public address`, { cause });
  }
}

/**
 * Throws a PrivateAddressError if the URL's host is a private address. An address in a URL is connected to without a
 * lookup.
 */
export function refusePrivateHost({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0 || isPublicAddress(host)) return;
  throw new PrivateAddressError(`${host} is a private address`);
}

/**
 * Returns a lookup that refuses a name if any of its addresses is not public. The connection uses exactly the addresses
 * that were checked, so a name that changes its address afterwards (DNS rebinding) leads nowhere else.
 */
export function publicLookup(resolve: LookupFunction): LookupFunction {
  return (hostname, options: LookupOptions, callback) => {
    resolve(hostname, { ...options, all: true }, (reason, found) => {
      const addresses: LookupAddress[] = Array.isArray(found) ? found : [];
      const [first] = addresses;
      const isUsable = addresses.every(({ address }) => isPublicAddress(address));
      if (reason || !first || !isUsable) callback(new UnusableNameError(hostname, reason), '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function add(list: BlockList, networks: readonly string[], family: 'ipv4' | 'ipv6'): void {
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
}

/** Only some of the threads in Node's pool. Passwords and files need the others. */
const maxAtATime = 2;
/** Larger than the number of notices sent at a time. */
const maxWaiting = 64;

/**
 * Returns a lookup that runs two at a time. A lookup occupies a thread for as long as the system's resolver waits,
 * which may be many seconds, and can't be cancelled. Without a limit, webhooks to names on a slow server would hold up
 * sign-ins and files.
 */
export function lookupInTurn(resolve: LookupFunction = lookup): LookupFunction {
  const lookups = bulkhead(maxAtATime, maxWaiting);
  return (hostname, options, callback) => {
    type Found = Parameters<typeof callback>;
    const look = () => new Promise<Found>((done) => resolve(hostname, options, (...found) => done(found)));
    lookups.execute(look).then(
      (found) => callback(...found),
      (reason) => callback(reason, '', 0),
    );
  };
}
