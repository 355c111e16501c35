import { isIPv6 } from 'node:net';

const mappedPrefix = '::ffff:';
/** An IPv6 client is assigned a network of this many 16-bit groups and can use any address in it. */
const networkGroups = 4;

/**
 * Returns the part of an address that identifies one client: an IPv4 address, or the /64 network of an IPv6 address.
 * The address is undefined once its connection has been reset.
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
  // The last four bytes may be written as in IPv4. They never belong to the network.
  return groups.at(-1)?.includes('.') ? [...groups.slice(0, -1), '0', '0'] : groups;
}
