import { operatorName } from '../lib/operator.ts';
import { PagedList } from '../lib/paged-list.ts';

/**
 * The kinds of actors. `visitor`: a person who has not signed in. `provider`: a sign-in provider. `service`: the
 * service itself, such as at its first start.
 */
export const actorKinds = ['user', 'key', 'command-line', 'provider', 'service', 'visitor'] as const;

export interface Actor {
  readonly kind: (typeof actorKinds)[number];
  /** A user, a key or a provider. The command line has a user, or an id of the operating system. */
  readonly id: string | null;
}

/** What can be done, by the kind of what it is done to. */
const verbs = {
  alert: ['acknowledge'],
  'alert-settings': ['change'],
  batch: ['create', 'cancel'],
  channel: ['create', 'change', 'confirm', 'send', 'delete'],
  file: ['create', 'delete'],
  invitation: ['create', 'accept', 'delete'],
  key: ['create', 'change', 'create-link', 'rotate', 'revoke'],
  limit: ['create', 'change', 'delete'],
  member: ['create', 'change', 'delete'],
  organization: ['create', 'change', 'purge-vectors', 'delete'],
  request: ['refuse'],
  session: ['create', 'refuse', 'delete'],
  user: ['create', 'change', 'create-reset-link', 'link', 'reset', 'set-password', 'set-up-totp', 'delete'],
} as const;
export type AuditKind = keyof typeof verbs;
export const auditKinds = Object.keys(verbs) as AuditKind[];
export type AuditAction = { [Kind in AuditKind]: `${Kind}.${(typeof verbs)[Kind][number]}` }[AuditKind];
export const auditActions = Object.entries(verbs).flatMap(([kind, of]) =>
  of.map((verb) => `${kind}.${verb}` as AuditAction),
);

/** A change as it is kept. It outlives its actor and its target. Times are in milliseconds since the Unix epoch. */
export interface AuditEntry {
  readonly entryId: string;
  readonly at: number;
  /** Null: it concerns the installation or a user. */
  readonly orgId: string | null;
  /** The name that the organization has now. Null: there is none. */
  readonly orgName: string | null;
  readonly actorKind: Actor['kind'];
  readonly actorId: string | null;
  /** The name of the actor at that time, or the email address of a user. */
  readonly actorName: string | null;
  /** 1: an administrator who was no member of the organization, a key of the installation or the command line did it. */
  readonly byOperator: number;
  readonly action: AuditAction;
  readonly targetId: string | null;
  readonly targetName: string | null;
  /** The fields that the change has replaced or removed. Never a secret. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** The fields that the change has set. Never a secret. */
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Returns the entry as the people of the organization see it. */
export const forCustomers = (entry: AuditEntry): AuditEntry =>
  entry.byOperator === 1 ? { ...entry, actorId: null, actorName: operatorName, address: null } : entry;

/** Which entries to read. Undefined: any. */
export interface AuditFilter {
  readonly orgId?: string | undefined;
  readonly entryId?: string | undefined;
  readonly action?: AuditAction | undefined;
  /** The kind of what something was done to. */
  readonly kind?: AuditKind | undefined;
  /** A part of the actor's or the target's name, or of a changed field, in upper or lower case. */
  readonly text?: string | undefined;
  readonly actorId?: string | undefined;
  readonly targetId?: string | undefined;
  /** Inclusive. */
  readonly fromMs?: number | undefined;
  /** Exclusive. */
  readonly toMs?: number | undefined;
  /** Whether those who read the entries may not learn who acts for the operator. */
  readonly isForCustomers?: boolean | undefined;
}

/** An attempt that was refused, so that it has changed nothing. */
export interface Refusal {
  readonly action: 'request.refuse' | 'session.refuse';
  readonly orgId: string | null;
  /** The user whose account the sign-in named. */
  readonly userId: string | null;
  /** The operation of the API. */
  readonly operation: string | undefined;
  readonly error: string;
}

export const auditList = new PagedList('audit', { orders: { at: 'number' }, defaultSort: '-at' });
