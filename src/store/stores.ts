import type { AccountStore } from '../accounts/accounts.ts';
import type { AttemptStore } from '../accounts/attempts.ts';
import type { AuthDatabase } from '../accounts/auth-database.ts';
import type { DeletionStore } from '../accounts/deletions.ts';
import type { InvitationStore } from '../accounts/invitations.ts';
import type { MemberStore } from '../accounts/members.ts';
import type { OrganizationStore } from '../accounts/organizations.ts';
import type { PasswordResetStore } from '../accounts/password-resets.ts';
import type { SessionStore } from '../accounts/sessions.ts';
import type { UserChangeStore } from '../accounts/user-changes.ts';
import type { VectorStore } from '../embeddings/vector-cache.ts';
import type { ChangeWatch, KeyFinder } from '../keys/authenticate.ts';
import type { KeyStore } from '../keys/keys.ts';
import type { LeaseStore } from '../lib/leases.ts';
import type { LedgerStore } from '../quota/ledger.ts';
import type { WindowRepairStore } from '../quota/window-repair.ts';
import type { AlertStore } from '../usage/alerts/alert.ts';
import type { DeliveryStore } from '../usage/notifiers/deliveries.ts';
import type { TargetStore } from '../usage/notifiers/target.ts';
import type { UsageSink } from '../usage/recorder.ts';
import type { UsageReader } from '../usage/reports.ts';
import type { UsageRollup } from '../usage/roll-up.ts';

/** Everything that one database keeps for the service. */
export interface Stores {
  readonly keys: KeyStore & KeyFinder;
  readonly organizations: OrganizationStore;
  readonly deletions: DeletionStore;
  readonly accounts: AccountStore;
  readonly userChanges: UserChangeStore;
  readonly sessions: SessionStore;
  readonly passwordResets: PasswordResetStore;
  readonly members: MemberStore;
  readonly invitations: InvitationStore;
  readonly attempts: AttemptStore;
  /** Loaded when it is asked for: no start waits for it. */
  authDatabase(): Promise<AuthDatabase>;
  readonly ledger: LedgerStore;
  readonly windowRepair: WindowRepairStore;
  readonly usage: UsageSink & UsageReader & UsageRollup;
  readonly alerts: AlertStore;
  readonly targets: TargetStore;
  readonly deliveries: DeliveryStore;
  readonly leases: LeaseStore;
  readonly vectors: VectorStore;
  readonly watch: ChangeWatch;
  /** Whether there has been a first organization, and its credentials were shown. Asked at each start: it loads nothing that the start can do without. */
  isSetUp(): Promise<boolean>;
  /** The names of the tiers that organizations have. Asked at each start as well. */
  tiersInUse(): Promise<string[]>;
  /** Runs `body` while no other process on these data runs one. Throws `unavailable` at once when another does. */
  exclusively<R>(body: () => Promise<R>): Promise<R>;
  /** Rejects when the database does not answer within its deadline. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
