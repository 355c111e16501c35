const explanations: Readonly<Record<string, string>> = {
  SIGN_UP_CLOSED: 'There is no account with this email address. Ask for an invitation.',
  ACCOUNT_DISABLED: 'This account is disabled. Ask an administrator to enable it.',
  account_not_linked: 'An account with this email address signs in another way. Use its password.',
  email_not_verified: 'The provider has not verified your email address. Verify it there, and try again.',
  access_denied: 'The provider was not allowed to sign you in.',
  email_not_found: 'The provider did not share your email address. Allow it to, and try again.',
};

/** Explains the error code of a failed sign-in with a provider. */
export function providerError(code: string): Error {
  return new Error(explanations[code] ?? 'The sign-in did not succeed. Try again, or use your password.');
}
