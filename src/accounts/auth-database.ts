import type { BetterAuthOptions } from 'better-auth';

/** What the stores give to better-auth: Kysely over their database. */
export type AuthDatabase = Extract<NonNullable<BetterAuthOptions['database']>, { db: unknown }>;
