/** The paths of all pages, for tests that check each. */
export const pagesBeforeSignIn = [
  '/login',
  '/login/forgot',
  '/login/sign-up',
  '/reset-password#token=x',
  '/invite#token=x',
  '/confirm-address#token=x',
  '/key#token=x',
];
export const pagesOfEverybody = [
  '/organizations',
  '/account',
  '/users',
  '/service',
  '/installation-keys',
  '/all-usage',
  '/all-limits',
  '/all-audit',
  '/organizations/org_none/usage',
  '/no/such/page',
];
/** Below `/organizations/{org_id}/`. */
export const organizationPages = [
  'start',
  'usage',
  'requests',
  'batches',
  'keys',
  'playground',
  'models',
  'alerts',
  'members',
  'audit',
  'limits',
  'plan',
  'settings',
];
