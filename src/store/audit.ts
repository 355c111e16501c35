import { type Kysely, sql } from 'kysely';
import type { AuditAction, AuditEntry, AuditFilter, AuditKind, Refusal } from '../audit/entry.ts';
import { currentOrigin } from '../audit/origin.ts';
import { isoTime } from '../lib/clock.ts';
import { withoutSecrets } from '../lib/harmless.ts';
import { newId } from '../lib/ids.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import { deleteSome, rowsPerStep } from './housekeeping.ts';
import { readPage } from './keyset.ts';
import type { Database } from './schema.ts';

/** The fields that entries have of each kind of record, and no others: these are not secret. */
const shown: Record<AuditKind, { id: string; name?: string; fields: string }> = {
  alert: { id: 'alertId', name: 'kind', fields: 'kind threshold window limitId keyId userId' },
  'alert-settings': { id: 'orgId', fields: 'thresholds limitThresholds keyExpiry projection' },
  batch: { id: 'batchId', name: 'inputFilename', fields: 'inputFileId endpoint status' },
  channel: { id: 'targetId', name: 'address', fields: 'kind name address type' },
  file: { id: 'fileId', name: 'filename', fields: 'purpose bytes expiresAt' },
  invitation: { id: 'invitationId', name: 'email', fields: 'email role' },
  key: {
    id: 'keyId',
    name: 'name',
    fields: 'name userId scopes models defaultModel enabled status expiresAt rotatedFrom replacedBy',
  },
  limit: { id: 'limitId', name: 'unit', fields: 'keyId userId appliesTo unit windowKind amount maxWaitMs' },
  member: { id: 'userId', fields: 'role' },
  organization: { id: 'orgId', name: 'name', fields: 'name tier limitRequests limitWindow' },
  request: { id: 'userId', fields: 'operation error' },
  session: { id: 'userId', fields: 'providerId error' },
  user: {
    id: 'userId',
    name: 'email',
    fields: 'name email emailVerified isAdmin isDisabled twoFactorEnabled providerId isReset',
  },
};
/** Rows have 0 and 1. */
const flags = /^(projection|keyExpiry|enabled|emailVerified|isAdmin|isDisabled|twoFactorEnabled)$/;

/** A record before and after a change. Without one of them, the change creates or deletes it. */
interface Change {
  readonly before?: object;
  readonly after?: object;
}

/**
 * Writes an entry of each change, in the transaction that makes it. It has the fields that differ. A change without any
 * has no entry.
 */
export async function writeEntry(
  db: Kysely<Database>,
  action: AuditAction,
  ...changes: readonly Change[]
): Promise<void> {
  const { actor, ...origin } = currentOrigin();
  const kind = shown[action.replace(/\..*/, '') as AuditKind];
  const rows = changes.flatMap(({ before, after }) => {
    const record = { ...before, ...after } as Readonly<Record<string, string | null | undefined>>;
    const fields = { before: textOf(kind.fields, before, after), after: textOf(kind.fields, after, before) };
    if (before && after && fields.before === null && fields.after === null) return [];
    const targetId = record[kind.id] ?? record.id ?? null;
    // Only its user begins a session, or ends one without being signed in.
    const isOwn =
      kind === shown.session && /visitor|provider/.test(actor.kind) && action !== 'session.refuse';
    const { kind: actorKind, id: actorId } = isOwn ? ({ kind: 'user', id: targetId } as const) : actor;
    return {
      ...origin,
      ...fields,
      entryId: newId(),
      orgId: record.orgId ?? null,
      action,
      targetId,
      targetName: (valueIn(record, kind.name ?? '') as string | undefined) ?? nameOf(targetId),
      actorKind,
      actorId,
      actorName: nameOf(actorId),
    };
  });
  // One by one: few changes have more than one record.
  for (const row of rows) await db.insertInto('audit_entries').values(row).execute();
}

/** Runs a statement in a transaction, and writes the entries of the rows that it returns. Returns those. */
export async function audited<Row extends object>(
  db: Kysely<Database>,
  action: AuditAction,
  write: { execute(): Promise<Row[]> },
): Promise<Row[]> {
  const rows = await write.execute();
  const side = action.endsWith('.delete') ? 'before' : 'after';
  await writeEntry(db, action, ...rows.map((row) => ({ [side]: row })));
  return rows;
}

/** Runs a statement in a transaction of its own, with the entries of the rows that it returns. Returns whether there are any. */
export const auditedAny = (
  db: Kysely<Database>,
  action: AuditAction,
  write: (transaction: Kysely<Database>) => { execute(): Promise<object[]> },
): Promise<boolean> =>
  db
    .transaction()
    .execute(async (transaction) => (await audited(transaction, action, write(transaction))).length > 0);

/** Returns a row of a table. Writes its id again, to lock it: the second of two changes then sees the first. */
export async function locked<Table extends keyof Database>(
  db: Kysely<Database>,
  table: Table,
  id: keyof Database[Table] & string,
  value: string,
): Promise<Database[Table] | undefined> {
  const { rows } = await sql<Database[Table]>`UPDATE ${sql.table(table)} SET ${sql.ref(id)} = ${sql.ref(id)}
    WHERE ${sql.ref(id)} = ${value} RETURNING *`.execute(db);
  return rows[0];
}

/** The email address of a user, or the name of a key or an organization. */
const nameOf = (id: string | null) => sql<string | null>`COALESCE((SELECT email FROM users WHERE id = ${id}),
  (SELECT name FROM api_keys WHERE key_id = ${id}), (SELECT name FROM organizations WHERE org_id = ${id}))`;

/** Returns the fields that `other` doesn't have alike. */
function textOf(names: string, record: object | undefined, other: object | undefined): string | null {
  const differing = names.split(' ').flatMap((name) => {
    const value = valueIn(record, name);
    if (value === undefined || (value === null && !other)) return [];
    if (JSON.stringify(value) === JSON.stringify(valueIn(other, name))) return [];
    return [[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]];
  });
  return differing.length === 0 ? null : JSON.stringify(Object.fromEntries(differing));
}

/** Returns the value of a field as the API has it. Undefined: the record doesn't have it. */
function valueIn(record: object | undefined, name: string): unknown {
  const value = (record as Record<string, unknown> | undefined)?.[name];
  if (value === undefined) return undefined;
  if (flags.test(name)) return Boolean(value);
  if (name === 'address') return withoutSecrets(String(value));
  return name.endsWith('At') ? isoTime(value as number | null) : value;
}

const order = { orders: { at: sql.ref('at') }, id: sql.ref('entryId') };

/** The log of what people, keys and providers have changed, and of what was refused. */
export const auditIn = (db: Kysely<Database>) => ({
  page(
    { orgId, entryId, action, actorId, targetId, fromMs, toMs }: AuditFilter,
    request: PageRequest,
  ): Promise<Page<AuditEntry>> {
    let rows = db.selectFrom('audit_entries').selectAll();
    const equal = Object.entries({ orgId, entryId, action, actorId, targetId });
    for (const [name, value] of equal)
      if (value !== undefined) rows = rows.where(name as 'action', '=', value as AuditAction);
    if (fromMs !== undefined) rows = rows.where('at', '>=', fromMs);
    if (toMs !== undefined) rows = rows.where('at', '<', toMs);
    return readPage(db, request, { rows, ...order, isCounted: false }, ({ before, after, ...row }) => ({
      ...row,
      before: before && JSON.parse(before),
      after: after && JSON.parse(after),
    }));
  },

  addRefusal: ({ action, ...after }: Refusal): Promise<void> => writeEntry(db, action, { after }),

  /**
   * Deletes some of an organization's entries beyond `keep`: the oldest ones of the actor that has most, where all keys
   * are one, so that nobody can push out what people did. Null: the entries of no organization. Returns whether there may
   * be more.
   */
  async pruneExcess(orgId: string | null, keep: number): Promise<boolean> {
    const entries = db.selectFrom('audit_entries').where('orgId', orgId === null ? 'is' : '=', orgId);
    // All keys are one actor: a key that rotates itself would otherwise be another one each time.
    const actor = sql<string | null>`CASE WHEN actor_kind = 'key' THEN 'key' ELSE actor_id END`;
    const most = await entries
      .select([actor.as('actor'), sql<number>`SUM(COUNT(*)) OVER ()`.as('total')])
      .groupBy(actor)
      .orderBy(sql`COUNT(*)`, 'desc')
      .limit(1)
      .executeTakeFirst();
    const excess = most ? Number(most.total) - keep : 0;
    if (!most || excess <= 0) return false;
    const oldest = entries
      .select('entryId')
      .where(actor, most.actor === null ? 'is' : '=', most.actor)
      .orderBy('at')
      .orderBy('entryId')
      .limit(Math.min(excess, rowsPerStep));
    await db.deleteFrom('audit_entries').where('entryId', 'in', oldest).execute();
    return true;
  },

  /** Deletes some of the entries before `beforeMs`. Returns whether there may be more. */
  prune: (beforeMs: number): Promise<boolean> =>
    deleteSome(db, 'audit_entries', 'entryId', sql`at < ${beforeMs}`),
});
