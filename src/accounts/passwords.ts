import { randomInt } from 'node:crypto';
import { hashPassword } from '@better-auth/utils/password';
import { ServiceError } from '../errors.ts';

export const passwordLength = { min: 10, max: 128 } as const;

/** Without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 4;
const groupLength = 5;

/** 99 random bits, in groups that can be typed: `x7k2m-…`. */
export function generatePassword(): string {
  const group = () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/** Throws `invalid_request` naming `field`. */
export function requirePassword(password: string, field = 'password'): void {
  if (password.length >= passwordLength.min && password.length <= passwordLength.max) return;
  throw new ServiceError(
    'invalid_request',
    `${field} must have ${passwordLength.min} to ${passwordLength.max} characters`,
    { param: field },
  );
}

/** scrypt with a salt of its own, as better-auth verifies it. Takes some 60 ms of a core, off the event loop. */
export function digestPassword(password: string): Promise<string> {
  return hashPassword(password);
}
