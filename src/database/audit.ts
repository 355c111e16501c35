import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  type Actor,
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  type AuditKind,
  forCustomers,
  type Refusal,
} from '../audit/entry.ts';
import { currentOrigin } from '../audit/origin.ts';
import { isoTime } from '../lib/clock.ts';
import { withoutSecrets } from '../lib/harmless.ts';
import { newId } from '../lib/ids.ts';
import { operatorName } from '../lib/operator.ts';
import { foldCase, type Page, type PageRequest } from '../lib/page.ts';
import { deleteSome, rowsPerStep } from './housekeeping.ts';
import { folded, matchesAny, readPage } from './keyset.ts';
import type { Database } from './schema.ts';
import { isOperator } from './sql.ts';

/** How entries have a field: as it is, as true or false, as a time, as an address without its secrets, or not at all. */
type Showing = 'shown' | 'flag' | 'time' | 'address' | 'hidden';

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

const as =
  <S extends Showing>(showing: S) =>
  <Text extends string>(...lists: readonly Text[]): Record<Words<Text>, S> =>
    Object.fromEntries(lists.flatMap((list) => list.split(' ').map((field) => [field, showing]))) as never;
const [shown, flag, time, hidden] = [as('shown'), as('flag'), as('time'), as('hidden')];

/** What entries are about, by their kind: a row, and what only the event has. */
interface Audited {
  readonly alert: Database['alerts'];
  readonly 'alert-settings': Database['alert_settings'];
  readonly batch: Database['batches'];
  readonly channel: Database['notification_targets'] & { type: string };
  readonly file: Database['files'];
  readonly invitation: Database['invitations'];
  readonly key: Database['api_keys'];
  readonly limit: Database['limits'];
  readonly member: Database['members'];
  readonly organization: Database['organizations'];
  readonly request: Refusal;
  readonly session: Database['sessions'] & { providerId: string; error: string };
  readonly user: Database['users'] & { providerId: string; isReset: boolean };
}

/** How entries have each field of a kind, in the order in which they show them, and which ones identify and name it. */
const kinds: {
  readonly [Kind in AuditKind]: {
    readonly id: string;
    readonly name?: keyof Audited[Kind] | ((row: Audited[Kind]) => RawBuilder<string>);
    readonly fields: { readonly [Field in keyof Audited[Kind]]-?: Showing };
  };
} = {
  alert: {
    id: 'alertId',
    name: 'kind',
    fields: {
      ...shown('kind threshold window limitId keyId userId'),
      ...hidden(
        'alertId orgId fact windowStartMs limit used exhaustsAtMs expiresAtMs raisedAtMs',
        'acknowledgedAtMs acknowledgedBy name',
      ),
    },
  },
  'alert-settings': {
    id: 'orgId',
    fields: {
      ...shown('thresholds limitThresholds'),
      ...flag('keyExpiry projection'),
      ...hidden('orgId'),
    },
  },
  batch: {
    id: 'batchId',
    name: 'inputFilename',
    fields: {
      ...shown('inputFileId endpoint status'),
      ...hidden(
        'fingerprint model orgId tokens texts createdAt expiresAt total cached completed failed',
        'batchId inputFilename outputFileId errorFileId outputExpiresAfterMs cachedTokens',
        'nextLine nextByte endedAt waitsFor keyId metadata errors times quota runner leaseUntil',
        'waitUntil servedAt',
      ),
    },
  },
  channel: {
    id: 'targetId',
    name: 'address',
    fields: {
      ...shown('kind name'),
      ...as('address')('address'),
      ...shown('type'),
      ...hidden('targetId orgId createdBy createdAt confirmedAt sealedSecret'),
    },
  },
  file: {
    id: 'fileId',
    name: 'filename',
    fields: {
      ...shown('purpose bytes'),
      ...time('expiresAt'),
      ...hidden('fileId orgId filename content status storedBytes lines createdAt'),
    },
  },
  invitation: {
    id: 'invitationId',
    name: 'email',
    fields: {
      ...shown('email role'),
      ...hidden('invitationId orgId mailed invitedBy createdAt expiresAt digest'),
    },
  },
  key: {
    id: 'keyId',
    name: 'name',
    fields: {
      ...shown('name hint userId externalId scopes models networks defaultModel'),
      ...flag('enabled'),
      ...shown('status'),
      ...time('expiresAt'),
      ...shown('rotatedFrom replacedBy'),
      ...hidden('orgId token keyId createdAt digest firstKeyId revokedAt isSelfMade lifetimeMs'),
    },
  },
  limit: {
    id: 'limitId',
    name: limitName,
    fields: {
      ...shown('keyId userId appliesTo unit windowKind amount maxWaitMs setBy'),
      ...hidden('orgId limitId createdAt windowStart used'),
    },
  },
  member: {
    id: 'userId',
    fields: { ...shown('role'), ...hidden('orgId userId createdAt fromProvider') },
  },
  organization: {
    id: 'orgId',
    name: 'name',
    fields: {
      ...shown('name externalId tier limitRequests limitWindow suspended'),
      ...hidden('orgId revision createdAt cacheSecret tierLimits'),
    },
  },
  request: {
    id: 'userId',
    fields: { ...shown('operation error'), ...hidden('action orgId userId') },
  },
  session: {
    id: 'userId',
    fields: {
      ...shown('providerId error'),
      ...hidden('id userId token expiresAt ipAddress userAgent createdAt updatedAt'),
    },
  },
  user: {
    id: 'userId',
    name: 'email',
    fields: {
      ...shown('name email'),
      ...flag('emailVerified isAdmin isDisabled twoFactorEnabled'),
      ...shown('providerId isReset'),
      ...hidden('id image createdAt updatedAt'),
    },
  },
};

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
  const kind = action.replace(/\..*/, '') as AuditKind;
  const { id, name, fields } = kinds[kind] as { id: string; name?: string | NameOf; fields: Fields };
  const rows = changes.flatMap(({ before, after }) => {
    const record = { ...before, ...after } as Readonly<Record<string, string | null | undefined>>;
    const texts = { before: textOf(fields, before, after), after: textOf(fields, after, before) };
    if (before && after && texts.before === null && texts.after === null) return [];
    const targetId = record[id] ?? record.id ?? null;
    // Only its user begins a session, or ends one without being signed in.
    const isOwn = kind === 'session' && /visitor|provider/.test(actor.kind) && action !== 'session.refuse';
    const { kind: actorKind, id: actorId } = isOwn ? ({ kind: 'user', id: targetId } as const) : actor;
    return {
      ...origin,
      ...texts,
      entryId: newId(),
      orgId: record.orgId ?? null,
      action,
      targetId,
      targetName:
        typeof name === 'function'
          ? name(record as never)
          : ((name && (valueIn(record, name, fields[name]!) as string | undefined)) ?? nameOf(targetId)),
      actorKind,
      actorId,
      actorName: nameOf(actorId),
      byOperator: byOperator(actorKind, actorId, record.orgId ?? null),
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

type NameOf = (row: never) => RawBuilder<string>;

/** Returns, for example, `requests per day for crawler`. */
function limitName(limit: Database['limits']): RawBuilder<string> {
  const { orgId, unit, windowKind, keyId, userId, appliesTo } = limit;
  const window = windowKind === 'none' ? [] : `per ${windowKind}`;
  const what = [unit.replaceAll('_', ' '), window].flat().join(' ');
  const all = appliesTo === 'new_keys' ? 'new keys' : 'the organization';
  // The organization chooses the ids of its users, which must not reveal other accounts, keys and organizations.
  const member = sql`(SELECT email FROM users JOIN members ON user_id = id WHERE id = ${userId} AND org_id = ${orgId})`;
  const name = keyId === null ? member : nameOf(keyId);
  return sql`CAST(${what} AS TEXT) || ' for ' || COALESCE(${name}, ${keyId ?? userId ?? all})`;
}

/** Returns 1 if the actor administers the installation and is no member of the organization. */
const byOperator = (kind: Actor['kind'], id: string | null, orgId: string | null) =>
  sql<number>`CASE WHEN ${sql.lit(Number(kind === 'command-line'))} = 1
    OR EXISTS (SELECT 1 FROM api_keys WHERE key_id = ${id} AND org_id IS NULL)
    OR ${isOperator(id, orgId)} THEN 1 ELSE 0 END`;

type Fields = Readonly<Record<string, Showing>>;

/** Returns the fields that `other` doesn't have alike. */
function textOf(fields: Fields, record: object | undefined, other: object | undefined): string | null {
  const differing = Object.entries(fields).flatMap(([name, showing]) => {
    const value = valueIn(record, name, showing);
    if (showing === 'hidden' || value === undefined || (value === null && !other)) return [];
    if (JSON.stringify(value) === JSON.stringify(valueIn(other, name, showing))) return [];
    return [[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]];
  });
  return differing.length === 0 ? null : JSON.stringify(Object.fromEntries(differing));
}

/** Returns the value of a field as the API has it. Undefined: the record doesn't have it. */
function valueIn(record: object | undefined, name: string, showing: Showing): unknown {
  const value = (record as Record<string, unknown> | undefined)?.[name];
  if (value === undefined) return undefined;
  if (showing === 'flag') return Boolean(value);
  if (showing === 'address') return withoutSecrets(String(value));
  return showing === 'time' ? isoTime(value as number | null) : value;
}

const organizationName = sql<string | null>`(SELECT name FROM organizations
  WHERE organizations.org_id = audit_entries.org_id)`.as('orgName');

/** Returns the name of the actor as those who read the entry see it, in lower case. */
const actorText = (isForCustomers: boolean): RawBuilder<string> =>
  isForCustomers
    ? sql`CASE WHEN by_operator = 1 THEN ${sql.lit(foldCase(operatorName))} ELSE ${folded('actor_name')} END`
    : folded('actor_name');

const order = { orders: { at: sql.ref('at') }, id: sql.ref('entryId') };

/** The log of what people, keys and providers have changed, and of what was refused. */
export const auditIn = (db: Kysely<Database>) => ({
  page(filter: AuditFilter, request: PageRequest): Promise<Page<AuditEntry>> {
    const { orgId, entryId, action, kind, text, actorId, targetId, fromMs, toMs } = filter;
    const { isForCustomers = false } = filter;
    let rows = db.selectFrom('audit_entries').selectAll().select(organizationName);
    const equal = Object.entries({ orgId, entryId, action, actorId, targetId });
    for (const [name, value] of equal)
      if (value !== undefined) rows = rows.where(name as 'action', '=', value as AuditAction);
    if (fromMs !== undefined) rows = rows.where('at', '>=', fromMs);
    if (toMs !== undefined) rows = rows.where('at', '<', toMs);
    // The dot ends the name of the kind, and the next character is the slash.
    if (kind !== undefined)
      rows = rows.where(sql<SqlBool>`action >= ${`${kind}.`} AND action < ${`${kind}/`}`);
    if (text !== undefined) {
      const searched = ['target_name', 'before', 'after'].map(folded);
      rows = rows.where(matchesAny({ searched: [actorText(isForCustomers), ...searched] }, foldCase(text)));
    }
    // With these, the filter would reveal who acts for the operator.
    if (isForCustomers && actorId !== undefined) rows = rows.where('byOperator', '=', 0);
    return readPage(db, request, { rows, ...order, isCounted: false }, ({ before, after, ...row }) => {
      const entry = { ...row, before: before && JSON.parse(before), after: after && JSON.parse(after) };
      return isForCustomers ? forCustomers(entry) : entry;
    });
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
