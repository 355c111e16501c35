import { isIPv6 } from 'node:net';

const mappedPrefix = '::ffff:';
/** What a client of IPv6 is given is a network of this many groups of 16 bits, in which it may choose any address. */
const networkGroups = 4;

/**
 * Returns what is one client's among addresses: an IPv4 address, or the /64 network of an IPv6 address. An address is undefined once its
 * connection has been reset.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  if (address.toLowerCase().startsWith(mappedPrefix) && address.includes('.'))
    return address.slice(mappedPrefix.length);
  if (!isIPv6(address)) return address;
  const [head = [], tail] = address.replace(/%.*$/, '').split('::').map(groupsOf);
  const zeros = tail ? new Array(8 - head.length - tail.length).fill('0') : [];
  const groups = [...head, ...zeros, ...(tail ?? [])].slice(0, networkGroups);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

function groupsOf(text: string): string[] {
  const groups = text.split(':').filter(Boolean);
  // The last four bytes may be written as in IPv4, and never belong to the network.
  return groups.at(-1)?.includes('.') ? [...groups.slice(0, -1), '0', '0'] : groups;
}
