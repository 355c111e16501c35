import { ServiceError } from '../errors.ts';

/** Maximum length of the name of an account, an organization or a key, in characters. */
export const maxNameLength = 200;
// Names are printed to terminals and pages, where control characters could rewrite the text around them.
const controlCharacters = /\p{Cc}/u;

/** Returns the trimmed name. Throws `invalid_request` naming `field`. */
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
