import { v7 } from 'uuid';

/** The nil UUID (RFC 9562, section 5.9), which no identifier ever is. */
export const nilId = '00000000-0000-0000-0000-000000000000';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns a new identifier: a UUIDv7 (RFC 9562, section 5.7). Identifiers sort by creation time. */
export function newId(): string {
  return v7();
}

/**
 * Returns a function that makes UUIDv7s in a tenth of a microsecond: it draws random bits once. They can be guessed, so
 * they are for rows that they protect in no way.
 */
export function idSequence(): () => string {
  const tail = newId().slice(18);
  let count = 0;
  return () => {
    count = (count + 1) & 0xfff;
    const ms = Date.now().toString(16).padStart(12, '0');
    return `${ms.slice(0, 8)}-${ms.slice(8)}-7${count.toString(16).padStart(3, '0')}${tail}`;
  };
}

/** Returns an identifier as the database stores it, or undefined if the text is none. */
export function storedId(text: string): string | undefined {
  // RFC 9562, section 4: the hexadecimal digits of a UUID are case-insensitive on input.
  return uuid.test(text) ? text.toLowerCase() : undefined;
}
