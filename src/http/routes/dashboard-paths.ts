import { ServiceError } from '../../errors.ts';
import type { App } from '../app-types.ts';

/** Every page is the one document, which asks the API for the rest. */
export const pages = [
  '/login',
  '/login/forgot',
  '/login/sign-up',
  '/reset-password',
  '/invite',
  '/organizations',
  '/organizations/*',
  '/account',
  '/users',
];

export const dashboardPaths: readonly string[] = ['/', ...pages, '/assets/*', '/favicon.svg'];

/** Says at all its paths that the dashboard was not built. */
export function absentDashboard(app: App): void {
  for (const url of dashboardPaths) {
    app.get(url, { schema: { hide: true } }, () => {
      throw new ServiceError(
        'not_found',
        'The dashboard is not built here. Build it with: npm run build -w web',
      );
    });
  }
}
