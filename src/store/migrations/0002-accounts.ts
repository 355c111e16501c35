import { type ColumnTypes, columnTypes, type Migration } from './migration.ts';

/**
 * The tables of better-auth, in the columns that src/users/auth-tables.ts maps. In both databases, times are ISO
 * 8601 text and booleans are 0 and 1, so that rows can be moved unchanged.
 */
const signInTables = ({ id }: ColumnTypes): string[] => [
  `CREATE TABLE users (
    id ${id} PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    email_verified INTEGER NOT NULL,
    image TEXT,
    is_admin INTEGER NOT NULL DEFAULT 0,
    two_factor_enabled INTEGER,
    created_at ${id} NOT NULL,
    updated_at ${id} NOT NULL
  )`,
  `CREATE TABLE sessions (
    id ${id} PRIMARY KEY,
    user_id ${id} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token TEXT NOT NULL UNIQUE,
    expires_at ${id} NOT NULL,
    ip_address TEXT,
    user_agent TEXT,
    created_at ${id} NOT NULL,
    updated_at ${id} NOT NULL
  )`,
  `CREATE INDEX sessions_by_user ON sessions (user_id)`,
  `CREATE TABLE credentials (
    id ${id} PRIMARY KEY,
    user_id ${id} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    provider_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    password TEXT,
    access_token TEXT,
    refresh_token TEXT,
    id_token TEXT,
    access_token_expires_at ${id},
    refresh_token_expires_at ${id},
    scope TEXT,
    created_at ${id} NOT NULL,
    updated_at ${id} NOT NULL,
    UNIQUE (provider_id, account_id)
  )`,
  `CREATE INDEX credentials_by_user ON credentials (user_id)`,
  `CREATE TABLE verifications (
    id ${id} PRIMARY KEY,
    identifier TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at ${id} NOT NULL,
    created_at ${id} NOT NULL,
    updated_at ${id} NOT NULL
  )`,
  `CREATE INDEX verifications_by_identifier ON verifications (identifier)`,
  `CREATE TABLE two_factors (
    id ${id} PRIMARY KEY,
    user_id ${id} NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
    secret TEXT NOT NULL,
    backup_codes TEXT NOT NULL,
    verified INTEGER,
    failed_verification_count INTEGER,
    locked_until ${id}
  )`,
  // The number of attempts since window_start, which limits guesses at passwords across all replicas.
  `CREATE TABLE attempts (
    subject ${id} PRIMARY KEY,
    window_start BIGINT NOT NULL,
    count BIGINT NOT NULL
  )`,
];

const memberTables = ({ id }: ColumnTypes): string[] => [
  `CREATE TABLE members (
    org_id ${id} NOT NULL REFERENCES organizations (org_id),
    user_id ${id} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, user_id)
  )`,
  `CREATE INDEX members_by_user ON members (user_id)`,
  // Has a digest of the link's token. A row is deleted when the invitation is accepted or withdrawn.
  `CREATE TABLE invitations (
    invitation_id ${id} PRIMARY KEY,
    org_id ${id} NOT NULL REFERENCES organizations (org_id),
    email TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
    digest TEXT NOT NULL UNIQUE,
    mailed INTEGER NOT NULL,
    invited_by ${id} NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    UNIQUE (org_id, email)
  )`,
  `CREATE INDEX invitations_by_email ON invitations (email)`,
];

export const accounts: Migration = {
  version: 2,
  statements: (dialect) => {
    const types = columnTypes[dialect];
    return [...signInTables(types), ...memberTables(types)];
  },
};
