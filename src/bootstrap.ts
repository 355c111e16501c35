import type { Organization } from './accounts/organizations.ts';
import type { Gate } from './gate.ts';
import type { CreatedKey } from './keys/keys.ts';

export interface FirstStart extends CreatedKey {
  readonly organization: Organization;
}

/** Whom the first key belongs to until there are accounts. */
const administrator = 'admin';

/** On an empty database: the organization `Default` and its first key. Undefined where there is anything already. */
export async function bootstrap({ organizations, keys }: Gate): Promise<FirstStart | undefined> {
  const organization = await organizations.createFirst({ name: 'Default', tier: 'free' });
  if (!organization) return undefined;
  const created = await keys.create({ orgId: organization.orgId, userId: administrator, name: 'first key' });
  return { organization, ...created };
}
