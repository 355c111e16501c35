import { setTimeout } from 'node:timers/promises';
import { ConfigError } from '../config/config.ts';
import { ServiceError } from '../errors.ts';
import type { CreatedKey } from '../keys/key.ts';
import { allRows } from '../lib/page.ts';
import type { Organization } from '../organizations/organization.ts';
import type { User } from '../users/user.ts';
import type { Core } from './core.ts';

export interface FirstStart extends CreatedKey {
  readonly organization: Organization;
  readonly administrator: User;
  readonly password: string;
}

type Show = (first: FirstStart) => void;

const firstKeyName = 'first key';
const turnDeadlineMs = 60_000;
const turnPauseMs = 100;

/**
 * Sets up an empty database: the organization `Default`, an administrator who owns it, and its first key.
 * Calls `show` once all of them exist, and only then marks the first start as done: the next start completes
 * an interrupted one, with a new password and a new key. Returns undefined for a database that is already set
 * up.
 */
export async function bootstrap(core: Core, show: Show = () => {}): Promise<FirstStart | undefined> {
  const deadline = performance.now() + turnDeadlineMs;
  while (!(await core.stores.isSetUp())) {
    try {
      return await core.stores.exclusively(() => setUp(core, show));
    } catch (reason) {
      // Another replica is setting up, or an operator rotates the signing key.
      if (!isBusy(reason) || performance.now() > deadline) throw reason;
      await setTimeout(turnPauseMs);
    }
  }
  return undefined;
}

async function setUp(core: Core, show: Show): Promise<FirstStart | undefined> {
  const { stores, organizations, members, keys } = core;
  if (await stores.isSetUp()) return undefined;
  const begun = await organizations.findFirst();
  if (!begun) await requireFreeAddress(core);
  const organization = begun ?? (await organizations.createFirst({ name: 'Default' }));
  if (!organization) return undefined;
  const { orgId } = organization;
  const { user, password } = await administrator(core);
  await members.add(orgId, user.userId, 'owner');
  const earlier = await allRows((page) => keys.list(orgId, page), { sort: 'name', q: firstKeyName });
  for (const { keyId, name } of earlier) if (name === firstKeyName) await keys.revoke(keyId);
  const created = await keys.create({ orgId, userId: user.userId, name: firstKeyName });
  const first = { organization, administrator: user, password, ...created };
  show(first);
  await organizations.finishFirst();
  return first;
}

/** Creates the administrator, or sets a new password for the one that an interrupted start created. */
async function administrator({ users, config }: Core): Promise<{ user: User; password: string }> {
  const { adminEmail: email } = config;
  const known = await users.find(email);
  if (known?.isAdmin) return users.resetPassword(email, { removeTotp: false });
  if (known) throw addressTaken(email);
  return users.create({ email, name: 'Administrator', isAdmin: true });
}

async function requireFreeAddress({ users, config }: Core): Promise<void> {
  if (await users.find(config.adminEmail)) throw addressTaken(config.adminEmail);
}

const addressTaken = (email: string) =>
  new ConfigError(
    `ADMIN_EMAIL: there is a user ${email} already, so the first start can't create its administrator; ` +
      'choose another address, for example ADMIN_EMAIL=root@example.com, or set EMBEDGATE_BOOTSTRAP=off',
  );

function isBusy(reason: unknown): boolean {
  // A database that is out of reach has a cause.
  return reason instanceof ServiceError && reason.code === 'unavailable' && reason.cause === undefined;
}
