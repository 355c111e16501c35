import type { Kysely } from 'kysely';
import { alertsIn } from '../alerts/stored-alerts.ts';
import { channelsIn } from '../alerts/stored-channels.ts';
import { deliveriesIn } from '../alerts/stored-deliveries.ts';
import { batchesIn } from '../batches/stored-batches.ts';
import { auditIn } from '../database/audit.ts';
import { leasesIn } from '../database/leases.ts';
import type { DatabaseKind } from '../database/migrations/database-kind.ts';
import type { Database } from '../database/schema.ts';
import type { DatabaseTime } from '../database/sql.ts';
import { upstreamVectorsIn } from '../embeddings/stored-upstream-vectors.ts';
import { databasePieces, filesIn } from '../files/stored-files.ts';
import { keysIn } from '../keys/stored-keys.ts';
import type { Clock } from '../lib/clock.ts';
import { deletionsIn } from '../organizations/stored-deletions.ts';
import { membersIn } from '../organizations/stored-members.ts';
import { organizationsIn } from '../organizations/stored-organizations.ts';
import { overviewIn } from '../organizations/stored-overview.ts';
import { limitUseIn } from '../quota/stored-limit-use.ts';
import { limitsIn } from '../quota/stored-limits.ts';
import { followTiers } from '../quota/tier-limits.ts';
import { standardTiers } from '../quota/tiers.ts';
import { requestLogIn } from '../usage/stored-request-log.ts';
import { attemptsIn } from '../users/stored-attempts.ts';
import { invitationsIn } from '../users/stored-invitations.ts';
import { mappedMembersIn } from '../users/stored-mapped-members.ts';
import { passwordResetsIn } from '../users/stored-password-resets.ts';
import { sessionsIn } from '../users/stored-sessions.ts';
import { userChangesIn } from '../users/stored-user-changes.ts';
import { usersIn } from '../users/stored-users.ts';

/** Returns the stores that are implemented once for both databases. */
export function relationalStores(
  db: Kysely<Database>,
  databaseKind: DatabaseKind,
  time: DatabaseTime,
  clock: Clock,
  tiers = standardTiers,
) {
  return {
    keys: keysIn(db),
    organizations: organizationsIn(db, clock, time, tiers),
    overview: overviewIn(db),
    deletions: deletionsIn(db, databaseKind, time),
    users: usersIn(db, clock),
    userChanges: userChangesIn(db, clock),
    sessions: sessionsIn(db, clock),
    passwordResets: passwordResetsIn(db, clock),
    members: { ...membersIn(db, clock), ...mappedMembersIn(db, clock) },
    invitations: invitationsIn(db, clock),
    attempts: attemptsIn(db),
    audit: auditIn(db),
    alerts: alertsIn(db, clock, time, tiers),
    channels: channelsIn(db, clock),
    deliveries: deliveriesIn(db, time),
    files: filesIn(db, databaseKind, clock),
    pieces: databasePieces(db),
    batches: batchesIn(db, databaseKind, clock, time),
    leases: leasesIn(db, time),
    limits: {
      ...limitsIn(db, clock, time),
      ...limitUseIn(db, time),
      followTiers: () => followTiers(db, tiers, clock.now()),
    },
    requestLog: requestLogIn(db, databaseKind),
    upstreamVectors: upstreamVectorsIn(db),
  };
}

export type RelationalStores = ReturnType<typeof relationalStores>;
