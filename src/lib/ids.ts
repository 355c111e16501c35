import { v7 } from 'uuid';

/** The nil UUID (RFC 9562, section 5.9), which no identifier ever is. */
export const nilId = '00000000-0000-0000-0000-000000000000';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns a new identifier: a UUIDv7 (RFC 9562, section 5.7). Identifiers sort by creation time. */
export function newId(): string {
  return v7();
}

/** Returns an identifier with a prefix, as OpenAI's clients expect it: a new one, or `id` in another form. */
export const prefixedId = (prefix: string, id = newId()): string => `${prefix}${id.replaceAll('-', '')}`;

/** Returns an identifier as the database stores it, or undefined if the text is none. */
export function storedId(text: string): string | undefined {
  // RFC 9562, section 4: the hexadecimal digits of a UUID are case-insensitive on input.
  return uuid.test(text) ? text.toLowerCase() : undefined;
}
