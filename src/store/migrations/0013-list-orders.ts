import { columnTypes, type Dialect, type Migration } from './migration.ts';

/** As `folded` and `byBytes` in keyset.ts. */
const lowerName = { sqlite: 'lower(name)', postgres: 'lower(name COLLATE "C")' };
const emailByBytes = { sqlite: 'email', postgres: 'email COLLATE "C"' };

/** Returns an index for each order of the lists. Those of newest-first lists are read backwards. */
const indexes = (dialect: Dialect): string[] => [
  `CREATE INDEX organizations_by_time ON organizations (created_at, org_id)`,
  `CREATE INDEX organizations_by_name ON organizations (${lowerName[dialect]}, org_id)`,
  `CREATE INDEX api_keys_by_time ON api_keys (org_id, created_at, key_id)`,
  `CREATE INDEX api_keys_by_name ON api_keys (org_id, ${lowerName[dialect]}, key_id)`,
  `CREATE INDEX users_by_time ON users (created_at, id)`,
  `CREATE INDEX users_by_email ON users (${emailByBytes[dialect]}, id)`,
  `CREATE INDEX users_by_name ON users (${lowerName[dialect]}, id)`,
  `CREATE INDEX members_by_time ON members (org_id, created_at, user_id)`,
  `CREATE INDEX members_by_email ON members (org_id, user_email, user_id)`,
  `CREATE INDEX members_by_name ON members (org_id, user_name, user_id)`,
  `CREATE INDEX memberships_by_time ON members (user_id, created_at, org_id)`,
  `CREATE INDEX memberships_by_name ON members (user_id, org_name, org_id)`,
  `CREATE INDEX invitations_by_time ON invitations (org_id, created_at, invitation_id)`,
  `CREATE INDEX sessions_by_renewal ON sessions (user_id, updated_at, id)`,
  `CREATE INDEX notification_targets_by_time ON notification_targets (org_id, created_at, target_id)`,
  `CREATE INDEX alerts_by_time ON alerts (org_id, raised_at, threshold, alert_id)`,
  `CREATE INDEX alerts_open ON alerts (org_id, raised_at, threshold, alert_id) WHERE acknowledged_at IS NULL`,
  `CREATE INDEX alerts_acknowledged ON alerts (org_id, raised_at, threshold, alert_id)
    WHERE acknowledged_at IS NOT NULL`,
  `CREATE INDEX deliveries_by_time ON deliveries (org_id, created_at, delivery_id)`,
  `CREATE INDEX deliveries_by_status ON deliveries (org_id, status, created_at, delivery_id)`,
  `CREATE INDEX deliveries_of_target ON deliveries (target_id, created_at, delivery_id)`,
  // What changes and deletions of a user look for.
  `CREATE INDEX users_by_role ON users (is_admin, is_disabled)`,
  `CREATE INDEX api_keys_by_user ON api_keys (user_id, status)`,
  `CREATE INDEX invitations_by_inviter ON invitations (invited_by)`,
  `CREATE INDEX verifications_by_value ON verifications (value)`,
  `CREATE INDEX deliveries_of_target_by_status ON deliveries (target_id, status, created_at, delivery_id)`,
];

/** Indexes whose columns are the first ones of an index above. */
const replaced = [
  ...['api_keys_by_organization', 'members_by_user', 'sessions_by_user'],
  ...['notification_targets_by_organization', 'deliveries_by_organization', 'deliveries_by_target'],
].map((name) => `DROP INDEX ${name}`);

/**
 * Copies of names, in lower case, by which the members of an organization and the organizations of a user are sorted
 * and searched: an index can't have columns of two tables.
 */
const copies = (dialect: Dialect): string[] =>
  ['user_email', 'user_name', 'org_name'].map(
    (name) => `ALTER TABLE members ADD COLUMN ${name} ${columnTypes[dialect].id} NOT NULL DEFAULT ''`,
  );

const copiesOf = (dialect: Dialect, member: string): Record<string, string> => ({
  user_email: `COALESCE((SELECT email FROM users WHERE id = ${member}.user_id), '')`,
  user_name: `COALESCE((SELECT ${lowerName[dialect]} FROM users WHERE id = ${member}.user_id), '')`,
  org_name: `COALESCE((SELECT ${lowerName[dialect]} FROM organizations WHERE org_id = ${member}.org_id), '')`,
});

const assignments = (dialect: Dialect, member: string): string =>
  Object.entries(copiesOf(dialect, member))
    .map(([column, value]) => `${column} = ${value}`)
    .join(', ');

/** Triggers keep the copies, also when better-auth, an older replica or a person with a database shell writes. */
const sqliteTriggers = [
  `CREATE TRIGGER members_named AFTER INSERT ON members
   BEGIN UPDATE members SET ${assignments('sqlite', 'NEW')} WHERE org_id = NEW.org_id AND user_id = NEW.user_id; END`,
  `CREATE TRIGGER users_renamed AFTER UPDATE OF name, email ON users
   WHEN NEW.name <> OLD.name OR NEW.email <> OLD.email
   BEGIN UPDATE members SET user_email = NEW.email, user_name = lower(NEW.name) WHERE user_id = NEW.id; END`,
  `CREATE TRIGGER organizations_renamed AFTER UPDATE OF name ON organizations WHEN NEW.name <> OLD.name
   BEGIN UPDATE members SET org_name = lower(NEW.name) WHERE org_id = NEW.org_id; END`,
];

/**
 * The copies are read without a lock, which would wait for a deletion of the organization. If a name changes at the
 * same moment, the row keeps the old place in the order until the next change. The lists show the names themselves.
 */
const postgresTriggers = [
  `CREATE FUNCTION name_member() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     ${Object.entries(copiesOf('postgres', 'NEW'))
       .map(([column, value]) => `NEW.${column} := ${value};`)
       .join('\n     ')}
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER members_named BEFORE INSERT ON members FOR EACH ROW EXECUTE FUNCTION name_member()`,
  `CREATE FUNCTION rename_user() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE members SET user_email = NEW.email, user_name = lower(NEW.name COLLATE "C") WHERE user_id = NEW.id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER users_renamed AFTER UPDATE OF name, email ON users
   FOR EACH ROW WHEN (NEW.name <> OLD.name OR NEW.email <> OLD.email) EXECUTE FUNCTION rename_user()`,
  `CREATE FUNCTION rename_organization() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE members SET org_name = lower(NEW.name COLLATE "C") WHERE org_id = NEW.org_id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER organizations_renamed AFTER UPDATE OF name ON organizations
   FOR EACH ROW WHEN (NEW.name <> OLD.name) EXECUTE FUNCTION rename_organization()`,
];

/** Lets each list be read in pages: an index for each of its orders, in the same order in both databases. */
export const listOrders: Migration = {
  version: 13,
  statements: (dialect) => [
    ...copies(dialect),
    `UPDATE members SET ${assignments(dialect, 'members')}`,
    ...(dialect === 'sqlite' ? sqliteTriggers : postgresTriggers),
    ...indexes(dialect),
    ...replaced,
  ],
};
