import { invalidField } from '../errors.ts';
import { foldCase } from './page.ts';

const maxLength = 254;
/** The addresses that better-auth accepts at sign-in: zod's pattern for lower-case text. */
const pattern = /^(?:[a-z0-9_'+-]+\.)*[a-z0-9_'+-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

/** Returns the address in the form that accounts are found by. */
export const emailKey = (address: string): string => foldCase(address.trim());

/** Returns the part before the @. */
export const localPart = (address: string): string => address.slice(0, address.indexOf('@'));

/** Reports whether an account can have this address. An account with any other address could never sign in. */
export function isEmail(address: string): boolean {
  const email = emailKey(address);
  return email.length <= maxLength && pattern.test(email);
}

/** Returns the address in the form that accounts are found by. Throws `invalid_request` naming `field`. */
export function validEmail(address: string, field = 'email'): string {
  if (isEmail(address)) return emailKey(address);
  throw invalidField(
    field,
    `${field} must be an email address of plain letters, digits and + - _ ' with single dots, such as ada@example.com`,
  );
}
