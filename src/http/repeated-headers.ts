import { ServiceError } from '../errors.ts';

const single = ['host', 'content-type', 'authorization', 'content-length'] as const;

/**
 * Throws `invalid_request` when a header that must appear once appears twice. Node keeps the first one, and a proxy in front may
 * have read the last. `rawHeaders`: names and values in turn.
 */
export function refuseRepeatedHeaders(rawHeaders: readonly string[]): void {
  // Their names differ in length, and are seldom as long as another: comparing lengths spares most requests the rest.
  let lengths = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const bit = 1 << Math.min((rawHeaders[i] as string).length, 31);
    if (lengths & bit) {
      refuseIfRepeated(rawHeaders);
      return;
    }
    lengths |= bit;
  }
}

/** Reports whether a header, named in lower case, appears more than once. */
export function isRepeated(name: string, rawHeaders: readonly string[]): boolean {
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === name).length > 1;
}

function refuseIfRepeated(rawHeaders: readonly string[]): void {
  const repeated = single.find((name) => isRepeated(name, rawHeaders));
  if (repeated) throw new ServiceError('invalid_request', `The header ${repeated} appears more than once`);
}
