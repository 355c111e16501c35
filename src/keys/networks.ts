import { isIPv4, isIPv6 } from 'node:net';
import { invalidField } from '../errors.ts';
import { isInList, isNetwork, networkIn, networkList } from '../lib/networks.ts';

/** A token has all of them. */
const maxNetworks = 32;
/** Has the IPv4 addresses, also those that IPv6 writes. */
const everyIPv4 = networkList(['0.0.0.0/0']);

/** The networks from which a key may be used, in the form in which each request is checked. */
export interface HeldNetworks {
  has(address: string): boolean;
  /** Reports whether all addresses of a network lie in one of these networks. */
  includes(network: string): boolean;
}

export function heldNetworks(networks: readonly string[]): HeldNetworks {
  // One list would find every IPv4 address in `::/0`.
  const ofIPv4 = networkList(networks.filter((network) => isIPv4(networkIn(network).address)));
  const ofIPv6 = networkList(networks.filter((network) => isIPv6(networkIn(network).address)));
  const has = (address: string) => isInList(isInList(everyIPv4, address) ? ofIPv4 : ofIPv6, address);
  return {
    has,
    includes(network) {
      const { address, prefix } = networkIn(network);
      return networks.some((own) => networkIn(own).prefix <= prefix && heldNetworks([own]).has(address));
    },
  };
}

/** Returns the networks once each. Throws `invalid_request`. */
export function validNetworks(given: readonly string[]): string[] {
  const networks = [...new Set(given.map((network) => network.trim().toLowerCase()))];
  if (networks.length > maxNetworks)
    throw invalidField('networks', `networks must have at most ${maxNetworks} entries`);
  for (const network of networks) {
    const { address } = networkIn(network);
    if (!isNetwork(network) || address.includes('%'))
      throw invalidField('networks', 'networks must be addresses or networks such as 203.0.113.0/24');
    if (isIPv6(address) && isInList(everyIPv4, address))
      throw invalidField('networks', 'networks must have IPv4 addresses in the form 203.0.113.7');
  }
  return networks;
}
