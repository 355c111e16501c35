/** The paths of all pages, for tests that check each. */
export const pagesBeforeSignIn = [
  '/login',
  '/login/forgot',
  '/login/sign-up',
  '/reset-password#token=x',
  '/invite#token=x',
  '/confirm-address#token=x',
];
export const pagesOfEverybody = [
  '/organizations',
  '/account',
  '/users',
  '/organizations/org_none/usage',
  '/no/such/page',
];
/** Below `/organizations/{org_id}/`. */
export const organizationPages = ['usage', 'keys', 'playground', 'alerts', 'members', 'settings'];
