import { BlockList, isIP, isIPv6 } from 'node:net';

/** Reports whether a text is an address or a network of addresses, such as `10.0.0.0/8`. */
export function isNetwork(entry: string): boolean {
  const [address = '', prefix = '0', ...rest] = entry.split('/');
  if (isIP(address) === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix)) return false;
  return Number(prefix) <= (isIPv6(address) ? 128 : 32);
}

/** Returns a list of valid addresses and networks in a form that is quick to search. */
export function networkList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const { address, prefix } = networkIn(entry);
    list.addSubnet(address, prefix, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Returns the address of a network, and the number of leading bits that all its addresses have in common. */
export function networkIn(entry: string): { address: string; prefix: number } {
  const [address = '', prefix = isIPv6(address) ? '128' : '32'] = entry.split('/');
  return { address, prefix: Number(prefix) };
}

/** Reports whether a list has an address. Returns false for any other text. */
export function isInList(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
