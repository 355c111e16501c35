import type { IncomingHttpHeaders } from 'node:http';

/** Returns the header of a request's key. Azure's clients send the key alone, in a header of another name. */
export function authorizationOf({ authorization, 'api-key': key }: IncomingHttpHeaders): string | undefined {
  return authorization ?? (typeof key === 'string' ? `Bearer ${key}` : undefined);
}

/** Reports whether a header, named in lower case, appears more than once. `rawHeaders` has names and values in turn. */
export function isRepeated(name: string, rawHeaders: readonly string[]): boolean {
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === name).length > 1;
}
