import { ServiceError } from '../errors.ts';

/** The most characters that a name of an account, an organization or a key has. */
export const maxNameLength = 200;
// A name is printed to terminals and pages: control characters could rewrite what stands around it.
const controlCharacters = /\p{Cc}/u;

/** The trimmed name. Throws `invalid_request` naming `field`. */
export function validName(name: string, field = 'name'): string {
  const trimmed = name.trim();
  if (trimmed.length === 0 || trimmed.length > maxNameLength || controlCharacters.test(trimmed)) {
    throw new ServiceError(
      'invalid_request',
      `${field} must have 1 to ${maxNameLength} characters, none of them a control character`,
      { param: field },
    );
  }
  return trimmed;
}
