import type { DatabaseSync } from 'node:sqlite';
import { accountStore } from '../accounts.ts';
import { alertStore } from '../alerts.ts';
import { attemptStore } from '../attempts.ts';
import { deletionStore } from '../deletions.ts';
import { deliveryStore } from '../deliveries.ts';
import { invitationStore } from '../invitations.ts';
import { keyStore } from '../keys.ts';
import { leaseStore } from '../leases.ts';
import { memberStore } from '../members.ts';
import { targetStore } from '../notification-targets.ts';
import { organizationStore } from '../organizations.ts';
import { passwordResetStore } from '../password-resets.ts';
import { sessionStore } from '../sessions.ts';
import { usageSink } from '../usage.ts';
import { usageRollup } from '../usage-rollup.ts';
import { userChangeStore } from '../user-changes.ts';
import { windowRepairStore } from '../window-repair.ts';
import { kyselyOver } from './kysely.ts';
import { LateUsage } from './late-usage.ts';

/** The stores whose statements Kysely writes. */
export function relationalStores(database: DatabaseSync) {
  const kysely = kyselyOver(database);
  const late = new LateUsage(database);
  return {
    keys: keyStore(kysely, 'sqlite'),
    organizations: organizationStore(kysely),
    deletions: deletionStore(kysely, 'sqlite'),
    accounts: accountStore(kysely),
    userChanges: userChangeStore(kysely),
    sessions: sessionStore(kysely),
    passwordResets: passwordResetStore(kysely),
    members: memberStore(kysely),
    invitations: invitationStore(kysely),
    attempts: attemptStore(kysely),
    alerts: alertStore(kysely),
    targets: targetStore(kysely),
    deliveries: deliveryStore(kysely),
    leases: leaseStore(kysely),
    windowRepair: windowRepairStore(kysely, 'sqlite'),
    usage: { ...usageSink(kysely, late), ...usageRollup(kysely, 'sqlite') },
  };
}
