/** Parts of an address that a setting may use, beside its host. */
type Part = 'path' | 'query';

/**
 * Returns an http or https address. Refuses the parts that the setting would not use. The fault doesn't repeat the
 * address, because it may contain a password.
 */
export function httpAddress(value: string, used: readonly Part[], refuse: (fault: string) => never): URL {
  const url = URL.parse(value.trim());
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return refuse('is not an http:// or https:// address');
  const unused = {
    user: url.username + url.password,
    path: used.includes('path') || url.pathname === '/' ? '' : url.pathname,
    query: used.includes('query') ? '' : url.search,
    fragment: url.hash,
  };
  const part = Object.entries(unused).find(([, written]) => written !== '')?.[0];
  return part === undefined ? url : refuse(`has a ${part}, which would not be used`);
}
