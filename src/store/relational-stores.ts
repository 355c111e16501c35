import type { Kysely } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import { alertsIn } from './alerts.ts';
import { attemptStore } from './attempts.ts';
import { auditStore } from './audit.ts';
import { batchesIn } from './batches.ts';
import { channelsIn } from './channels.ts';
import { deletionStore } from './deletions.ts';
import { deliveriesIn } from './deliveries.ts';
import { databasePieces, filesIn } from './files.ts';
import { invitationsIn } from './invitations.ts';
import { keyStore } from './keys.ts';
import { leaseStore } from './leases.ts';
import { limitsIn } from './limits.ts';
import { mappedMembersIn } from './mapped-members.ts';
import { membersIn } from './members.ts';
import type { Dialect } from './migrations/dialect.ts';
import { organizationStore } from './organizations.ts';
import { overviewStore } from './overview.ts';
import { passwordResetStore } from './password-resets.ts';
import { requestLogStore } from './request-log.ts';
import type { Database } from './schema.ts';
import { sessionStore } from './sessions.ts';
import type { DatabaseTime } from './sql.ts';
import { upstreamVectorStore } from './upstream-vectors.ts';
import { userChangesIn } from './user-changes.ts';
import { userStore } from './users.ts';

/** Returns the stores that are implemented once for both databases. */
export function relationalStores(db: Kysely<Database>, dialect: Dialect, time: DatabaseTime, clock: Clock) {
  return {
    keys: keyStore(db),
    organizations: organizationStore(db, time),
    overview: overviewStore(db),
    deletions: deletionStore(db, dialect, time),
    users: userStore(db),
    userChanges: userChangesIn(db, clock),
    sessions: sessionStore(db),
    passwordResets: passwordResetStore(db),
    members: { ...membersIn(db, clock), ...mappedMembersIn(db, clock) },
    invitations: invitationsIn(db, clock),
    attempts: attemptStore(db),
    audit: auditStore(db),
    alerts: alertsIn(db, clock, time),
    channels: channelsIn(db, clock),
    deliveries: deliveriesIn(db, time),
    files: filesIn(db, dialect, clock),
    pieces: databasePieces(db),
    batches: batchesIn(db, dialect, clock, time),
    leases: leaseStore(db, time),
    limits: limitsIn(db, clock, time),
    requestLog: requestLogStore(db, dialect),
    upstreamVectors: upstreamVectorStore(db),
  };
}

export type RelationalStores = ReturnType<typeof relationalStores>;
