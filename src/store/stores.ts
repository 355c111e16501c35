import type { Kysely } from 'kysely';
import type { AlertStore } from '../alerts/alert.ts';
import type { ChannelStore } from '../alerts/channel.ts';
import type { DeliveryStore } from '../alerts/deliveries.ts';
import type { SealedStore } from '../embeddings/vector-cache.ts';
import type { ChangeWatch, KeyFinder } from '../keys/authenticate.ts';
import type { KeyStore } from '../keys/keys.ts';
import type { LeaseStore } from '../lib/database.ts';
import type { DeletionStore } from '../organizations/deletions.ts';
import type { MemberStore } from '../organizations/members.ts';
import type { OrganizationStore } from '../organizations/organizations.ts';
import type { OverviewStore } from '../organizations/overview.ts';
import type { WishStore } from '../organizations/wishes.ts';
import type { LedgerStore } from '../quota/ledger-store.ts';
import type { LimitStore } from '../quota/limit.ts';
import type { UsageSink } from '../usage/recorder.ts';
import type { UsageReader } from '../usage/reports.ts';
import type { RequestLogReader, RequestLogStore } from '../usage/request-log.ts';
import type { AttemptStore } from '../users/attempts.ts';
import type { InvitationStore } from '../users/invitations.ts';
import type { PasswordResetStore } from '../users/password-resets.ts';
import type { SessionStore } from '../users/sessions.ts';
import type { AuthDatabase } from '../users/sign-in.ts';
import type { UserChangeStore } from '../users/user-changes.ts';
import type { UserStore } from '../users/users.ts';
import type { Database } from './schema.ts';
import type { UpstreamVectorStore } from './upstream-vectors.ts';

/** The stores of one database. */
export interface Stores {
  readonly keys: KeyStore & KeyFinder;
  readonly organizations: OrganizationStore;
  readonly overview: OverviewStore;
  readonly deletions: DeletionStore;
  readonly users: UserStore;
  readonly userChanges: UserChangeStore;
  readonly sessions: SessionStore;
  readonly passwordResets: PasswordResetStore;
  readonly members: MemberStore;
  readonly invitations: InvitationStore;
  readonly wishes: WishStore;
  readonly attempts: AttemptStore;
  /** Loads Kysely on the first call, so that no start waits for it. */
  authDatabase(): Promise<AuthDatabase>;
  readonly ledger: LedgerStore;
  readonly limits: LimitStore;
  readonly usage: UsageSink & UsageReader;
  readonly requestLog: RequestLogStore & RequestLogReader;
  readonly alerts: AlertStore;
  readonly channels: ChannelStore;
  readonly deliveries: DeliveryStore;
  readonly leases: LeaseStore;
  readonly vectors: SealedStore;
  readonly upstreamVectors: UpstreamVectorStore;
  readonly watch: ChangeWatch;
  /** Reports whether the first organization was created and its credentials were shown. */
  isSetUp(): Promise<boolean>;
  /** Returns the names of the tiers that organizations have. */
  tiersInUse(): Promise<string[]>;
  /** Runs `body` unless another process is doing so on the same data; throws `unavailable` immediately then. */
  exclusively<R>(body: () => Promise<R>): Promise<R>;
  /** Rejects if the database does not respond within its deadline. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Gives better-auth the database, whose columns have the names of its fields. `sqlite` is the format of values, on
 * Postgres too: times as ISO 8601 text, booleans as 0 and 1. So a row can be moved between the databases unchanged.
 */
export function authDatabase(kysely: Kysely<Database>): AuthDatabase {
  return { db: kysely, type: 'sqlite', transaction: false };
}
