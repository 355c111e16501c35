import { ServiceError } from '../errors.ts';

const maxLength = 254;
const pattern = /^[^\s@"<>()[\]\\,;:\p{Cc}]+@[^\s@"<>()[\]\\,;:\p{Cc}]+\.[^\s@"<>()[\]\\,;:.\p{Cc}]{2,}$/u;

/** The address in the one spelling that accounts are found by. Throws `invalid_request` naming `field`. */
export function validEmail(address: string, field = 'email'): string {
  const email = address.trim().toLowerCase();
  if (email.length > maxLength || !pattern.test(email)) {
    throw new ServiceError('invalid_request', `${field} must be an e-mail address`, { param: field });
  }
  return email;
}
