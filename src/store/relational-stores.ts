import type { Kysely } from 'kysely';
import { alertStore } from './alerts.ts';
import { attemptStore } from './attempts.ts';
import { auditStore } from './audit.ts';
import { batchStore } from './batches.ts';
import { channelStore } from './channels.ts';
import { deletionStore } from './deletions.ts';
import { deliveryStore } from './deliveries.ts';
import { databasePieces, fileStore } from './files.ts';
import { invitationStore } from './invitations.ts';
import { keyStore } from './keys.ts';
import { leaseStore } from './leases.ts';
import { limitStore } from './limits.ts';
import { mappedMemberStore } from './mapped-members.ts';
import { memberStore } from './members.ts';
import type { Dialect } from './migrations/dialect.ts';
import { organizationStore } from './organizations.ts';
import { overviewStore } from './overview.ts';
import { passwordResetStore } from './password-resets.ts';
import { requestLogStore } from './request-log.ts';
import type { Database } from './schema.ts';
import { sessionStore } from './sessions.ts';
import type { DatabaseTime } from './sql.ts';
import { upstreamVectorStore } from './upstream-vectors.ts';
import { userChangeStore } from './user-changes.ts';
import { userStore } from './users.ts';

/** Returns the stores that are implemented once for both databases. */
export function relationalStores(db: Kysely<Database>, dialect: Dialect, time: DatabaseTime) {
  return {
    keys: keyStore(db),
    organizations: organizationStore(db, time),
    overview: overviewStore(db),
    deletions: deletionStore(db, dialect, time),
    users: userStore(db),
    userChanges: userChangeStore(db),
    sessions: sessionStore(db),
    passwordResets: passwordResetStore(db),
    members: { ...memberStore(db), ...mappedMemberStore(db) },
    invitations: invitationStore(db),
    attempts: attemptStore(db),
    audit: auditStore(db),
    alerts: alertStore(db, time),
    channels: channelStore(db),
    deliveries: deliveryStore(db, time),
    files: fileStore(db, dialect),
    pieces: databasePieces(db),
    batches: batchStore(db, dialect, time),
    leases: leaseStore(db, time),
    limits: limitStore(db),
    requestLog: requestLogStore(db, dialect),
    upstreamVectors: upstreamVectorStore(db),
  };
}

export type RelationalStores = ReturnType<typeof relationalStores>;
