import type { Kysely } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import { alertsIn } from './alerts.ts';
import { attemptsIn } from './attempts.ts';
import { auditIn } from './audit.ts';
import { batchesIn } from './batches.ts';
import { channelsIn } from './channels.ts';
import { deletionsIn } from './deletions.ts';
import { deliveriesIn } from './deliveries.ts';
import { databasePieces, filesIn } from './files.ts';
import { invitationsIn } from './invitations.ts';
import { keysIn } from './keys.ts';
import { leasesIn } from './leases.ts';
import { limitsIn } from './limits.ts';
import { mappedMembersIn } from './mapped-members.ts';
import { membersIn } from './members.ts';
import type { Dialect } from './migrations/dialect.ts';
import { organizationsIn } from './organizations.ts';
import { overviewIn } from './overview.ts';
import { passwordResetsIn } from './password-resets.ts';
import { requestLogIn } from './request-log.ts';
import type { Database } from './schema.ts';
import { sessionsIn } from './sessions.ts';
import type { DatabaseTime } from './sql.ts';
import { upstreamVectorsIn } from './upstream-vectors.ts';
import { userChangesIn } from './user-changes.ts';
import { usersIn } from './users.ts';

/** Returns the stores that are implemented once for both databases. */
export function relationalStores(db: Kysely<Database>, dialect: Dialect, time: DatabaseTime, clock: Clock) {
  return {
    keys: keysIn(db),
    organizations: organizationsIn(db, clock, time),
    overview: overviewIn(db),
    deletions: deletionsIn(db, dialect, time),
    users: usersIn(db, clock),
    userChanges: userChangesIn(db, clock),
    sessions: sessionsIn(db, clock),
    passwordResets: passwordResetsIn(db, clock),
    members: { ...membersIn(db, clock), ...mappedMembersIn(db, clock) },
    invitations: invitationsIn(db, clock),
    attempts: attemptsIn(db),
    audit: auditIn(db),
    alerts: alertsIn(db, clock, time),
    channels: channelsIn(db, clock),
    deliveries: deliveriesIn(db, time),
    files: filesIn(db, dialect, clock),
    pieces: databasePieces(db),
    batches: batchesIn(db, dialect, clock, time),
    leases: leasesIn(db, time),
    limits: limitsIn(db, clock, time),
    requestLog: requestLogIn(db, dialect),
    upstreamVectors: upstreamVectorsIn(db),
  };
}

export type RelationalStores = ReturnType<typeof relationalStores>;
