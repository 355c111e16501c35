import { BlockList, isIP } from 'node:net';

export function isHttpUrl(value: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(value)?.protocol ?? '');
}

/** Reports whether browsers send exactly this text as an origin: no path, no default port, lower case. */
export const isOrigin = (value: string): boolean => isHttpUrl(value) && URL.parse(value)?.origin === value;

export function isMailUrl(value: string): boolean {
  const url = URL.parse(value);
  return (url?.protocol === 'smtp:' || url?.protocol === 'smtps:') && url.hostname !== '';
}

export function isPostgresUrl(value: string): boolean {
  // A socket's directory is in `?host=`, and the host's place is empty.
  const url = URL.parse(value.replace('@/', '@localhost/'));
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:') return false;
  try {
    return [url.username, url.password, url.pathname].map(decodeURIComponent).length > 0;
  } catch {
    return false;
  }
}

/** Reports whether a text is an address or a network of addresses, such as `10.0.0.0/8`. */
export function isNetwork(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  try {
    new BlockList().addSubnet(
      address,
      /^\d+$/.test(prefix) ? Number(prefix) : -1,
      version === 6 ? 'ipv6' : 'ipv4',
    );
    return true;
  } catch {
    return false;
  }
}
