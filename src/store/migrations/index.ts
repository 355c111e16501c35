import { initial } from './0001-initial.ts';
import { accounts } from './0002-accounts.ts';
import { usageRollups } from './0003-usage-rollups.ts';
import { alerts } from './0004-alerts.ts';
import { keyChains } from './0005-key-chains.ts';
import { accountSecurity } from './0006-account-security.ts';
import { disabledUsers } from './0007-disabled-users.ts';
import { usageBatches } from './0008-usage-batches.ts';
import { lateUsage } from './0009-late-usage.ts';
import { lockTimeout } from './0010-lock-timeout.ts';
import { deletedOrganizations } from './0011-deleted-organizations.ts';
import { vectorBytes } from './0012-vector-bytes.ts';
import { listOrders } from './0013-list-orders.ts';
import { limitsAndModels } from './0014-limits.ts';
import { keptDtypes } from './0015-kept-dtypes.ts';
import { oneFlush } from './0016-one-flush.ts';
import { upstreamVectors } from './0017-upstream-vectors.ts';
import { confirmedChannels } from './0018-confirmed-channels.ts';
import type { Migration } from './migration.ts';

/** All steps, in order. The version of the schema is that of the last one. */
export const migrations: readonly Migration[] = [
  initial,
  accounts,
  usageRollups,
  alerts,
  keyChains,
  accountSecurity,
  disabledUsers,
  usageBatches,
  lateUsage,
  lockTimeout,
  deletedOrganizations,
  vectorBytes,
  listOrders,
  limitsAndModels,
  keptDtypes,
  oneFlush,
  upstreamVectors,
  confirmedChannels,
];

export const schemaVersion = migrations.length;

/** Reports whether the steps after `version` need tokens to be re-signed first. */
export function bindsTokensAfter(version: number): boolean {
  return version > 0 && migrations.slice(version).some(({ bindsTokens }) => bindsTokens === true);
}

/** The error for a database that a newer program has migrated: an older one must not change it. */
export function newerSchemaMessage(found: number): string {
  return `The database has schema version ${found}, this program knows versions up to ${schemaVersion}: run the newer program`;
}
