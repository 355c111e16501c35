import type { BetterAuthOptions } from 'better-auth';

/** The stores' database as better-auth takes it, with Kysely. */
export type AuthDatabase = Extract<NonNullable<BetterAuthOptions['database']>, { db: unknown }>;
