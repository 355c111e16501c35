import type { User } from './accounts/accounts.ts';
import type { Organization } from './accounts/organizations.ts';
import type { Gate } from './gate.ts';
import type { CreatedKey } from './keys/keys.ts';

export interface FirstStart extends CreatedKey {
  readonly organization: Organization;
  readonly administrator: User;
  readonly password: string;
}

/**
 * On an empty database: the organization `Default`, an administrator who owns it, and its first key. Undefined where there is
 * anything already.
 */
export async function bootstrap(gate: Gate): Promise<FirstStart | undefined> {
  const { stores, organizations, accounts, members, keys, config } = gate;
  if (await stores.isSetUp()) return undefined;
  const organization = await organizations.createFirst({ name: 'Default' });
  if (!organization) return undefined;
  const { orgId } = organization;
  const { user, password } = await accounts.create({
    email: config.adminEmail,
    name: 'Administrator',
    isAdmin: true,
  });
  await members.add(orgId, user.userId, 'owner');
  const created = await keys.create({ orgId, userId: user.userId, name: 'first key' });
  return { organization, administrator: user, password, ...created };
}
