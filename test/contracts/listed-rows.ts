import { alertList } from '../../src/alerts/alert.ts';
import { channelList } from '../../src/alerts/channel.ts';
import { deliveryList } from '../../src/alerts/deliveries.ts';
import { auditList } from '../../src/audit/entry.ts';
import { keyList } from '../../src/keys/key.ts';
import { isoTime } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { foldCase, type Page, type PageQuery, type SortValue } from '../../src/lib/page.ts';
import type { PagedList } from '../../src/lib/paged-list.ts';
import { memberList } from '../../src/organizations/members.ts';
import { organizationList } from '../../src/organizations/organization.ts';
import { dayOf } from '../../src/quota/window.ts';
import type { Stores } from '../../src/service/stores.ts';
import { noUsage } from '../../src/usage/reports.ts';
import { invitationList } from '../../src/users/invitations.ts';
import { sessionList } from '../../src/users/sessions.ts';
import { userList } from '../../src/users/user.ts';
import type { Random } from '../helpers/random.ts';
import { insertChannel, tablesOf } from '../helpers/stored.ts';

/** A list, and how a test adds and deletes its rows. */
export interface ListedRows {
  readonly name: string;
  readonly list: PagedList;
  read(query: PageQuery): Promise<Page<string>>;
  /** Adds a row. Returns its id and the value that each order sorts it by. */
  add(): Promise<AddedRow>;
  delete(id: string): Promise<unknown>;
}

export interface AddedRow {
  readonly id: string;
  readonly values: Readonly<Record<string, SortValue>>;
}

/** Many rows have the same name but for its case, and the same time. */
const names = [
  'acme',
  'Acme',
  'ACME Corp',
  'beta',
  'b',
  '_b',
  'Ärger',
  'ärger',
  'Zeta',
  'ｚ',
  '😀 key',
  '100%',
];
const firstMs = Date.parse('2026-11-01T00:00:00Z');
const untilMs = Date.parse('2026-12-01T00:00:00Z');

/** Returns all lists. `readers` are the stores that read the pages. */
export async function listedRows(
  stores: Stores,
  random: Random,
  readers: Pick<Stores, Lists> = stores,
): Promise<ListedRows[]> {
  const db = await tablesOf(stores);
  const orgId = newId();
  const organization = { tier: 'free', custom: null, externalId: null, suspended: null, revision: 1 };
  await stores.organizations.insert({ ...organization, orgId, name: 'Lists', createdAt: 0 });
  const insertUser = async (name: string, email: string, atMs: number): Promise<string> => {
    const times = { createdAt: isoTime(atMs), updatedAt: isoTime(atMs) };
    const flags = { emailVerified: 0, isAdmin: 0, twoFactorEnabled: 0, isDisabled: 0 };
    const id = newId();
    await db
      .insertInto('users')
      .values({ id, name, email, image: null, ...flags, ...times })
      .execute();
    return id;
  };
  const userId = await insertUser('Reader', 'reader@example.com', 0);
  const target = await insertChannel(stores, { orgId, createdAt: firstMs });
  const name = () => random.pick(names);
  const time = () => firstMs + random.below(4);
  let made = 0;
  const count = () => {
    made += 1;
    return made;
  };
  const email = () => `${random.pick(['a', 'ab', 'b-', 'c'])}${count()}@example.com`;
  const read = <Row>(found: Promise<Page<Row>>, id: (row: Row) => string): Promise<Page<string>> =>
    found.then(({ data, ...page }) => ({ ...page, data: data.map(id) }));
  const newOrganization = async () => {
    const row = { ...organization, orgId: newId(), name: name(), createdAt: time() };
    await stores.organizations.insert(row);
    return row;
  };

  /** Some keys are used today, some were used long ago, and some never. */
  const useKey = async (keyId: string) => {
    const [lastUsedAt, requests] = [random.below(3) * 1_000, random.below(3)];
    if (lastUsedAt > 0) await db.insertInto('key_activity').values({ keyId, lastUsedAt }).execute();
    const day = dayOf(untilMs) - random.below(2) * 30;
    const figures = { ...noUsage, failed: 9 };
    for (const [model, of] of [
      ['a', { counted: requests }],
      ['b', { cached: 1 }],
    ] as const) {
      await db
        .insertInto('usage_records')
        .values({ orgId, keyId, day, model, ...figures, ...of })
        .execute();
    }
    return { last_used: lastUsedAt, requests: day === dayOf(untilMs) ? requests + 1 : 0 };
  };

  return [
    {
      name: 'organizations',
      list: organizationList,
      read: (query) => read(readers.organizations.list(query), (row) => row.orgId),
      async add() {
        const row = await newOrganization();
        return { id: row.orgId, values: { created: row.createdAt, name: foldCase(row.name) } };
      },
      delete: (id) => stores.organizations.delete(id),
    },
    {
      name: 'keys',
      list: keyList,
      read: (query) =>
        read(
          readers.keys.list(
            orgId,
            { status: undefined, userId: undefined, externalId: undefined, nowMs: untilMs },
            keyList.request(query),
          ),
          (row) => row.keyId,
        ),
      async add() {
        const row = { keyId: newId(), name: name(), createdAt: time(), expiresAt: time() };
        const user_id = random.pick(['Acme-7', 'not acme', '%u']);
        const hint = `sk_…00a${random.below(3)}`;
        const others = { hint, token: Buffer.alloc(0), status: 'active' as const };
        const links = { revokedAt: null, rotatedFrom: null, isSelfMade: 0, lifetimeMs: null };
        const rights = { scopes: '', enabled: 1 };
        await db
          .insertInto('api_keys')
          .values({ ...row, ...others, ...links, ...rights, orgId, userId: user_id, digest: row.keyId })
          .execute();
        const values = { created: row.createdAt, name: foldCase(row.name), hint, expires: row.expiresAt };
        const searched = { user_id: foldCase(user_id) };
        return { id: row.keyId, values: { ...values, ...searched, ...(await useKey(row.keyId)) } };
      },
      delete: (id) => db.deleteFrom('api_keys').where('keyId', '=', id).execute(),
    },
    {
      name: 'users',
      list: userList,
      read: (query) => read(readers.users.list(query), (row) => row.userId),
      async add() {
        const [named, address, atMs] = [name(), email(), time()];
        const id = await insertUser(named, address, atMs);
        return { id, values: { created: isoTime(atMs), name: foldCase(named), 'email address': address } };
      },
      delete: (id) => db.deleteFrom('users').where('id', '=', id).execute(),
    },
    {
      name: 'members',
      list: memberList,
      read: (query) => read(readers.members.list(orgId, query), (row) => row.userId),
      async add() {
        const [named, address, createdAt] = [name(), email(), time()];
        const id = await insertUser(named, address, 0);
        const member = { orgId, userId: id, role: 'viewer', createdAt, fromProvider: 0 } as const;
        await db.insertInto('members').values(member).execute();
        return { id, values: { created: createdAt, name: foldCase(named), 'email address': address } };
      },
      delete: (id) => stores.members.remove({ orgId, userId: id, role: 'viewer', createdAt: 0 }),
    },
    {
      name: 'invitations',
      list: invitationList,
      read: (query) => read(readers.invitations.list(orgId, query), (row) => row.invitationId),
      async add() {
        const row = { invitationId: newId(), email: email(), createdAt: time() };
        const others = { role: 'viewer' as const, mailed: 0, invitedBy: userId, expiresAt: 0 };
        const digest = row.invitationId;
        await db
          .insertInto('invitations')
          .values({ ...row, ...others, orgId, digest })
          .execute();
        return { id: row.invitationId, values: { created: row.createdAt } };
      },
      delete: (id) => stores.invitations.delete(orgId, id),
    },
    {
      name: 'sessions',
      list: sessionList,
      read: (query) => read(readers.sessions.list(userId, query), (row) => row.sessionId),
      async add() {
        const [id, updatedAt] = [newId(), isoTime(time())];
        const times = { createdAt: updatedAt, updatedAt, expiresAt: isoTime(untilMs) };
        const others = { ipAddress: null, userAgent: null };
        await db
          .insertInto('sessions')
          .values({ id, userId, token: id, ...times, ...others })
          .execute();
        return { id, values: { renewed: updatedAt } };
      },
      delete: (id) => stores.sessions.end(userId, id),
    },
    {
      name: 'channels',
      list: channelList,
      read: (query) => read(readers.channels.list(orgId, query), (row) => row.targetId),
      async add() {
        const row = await insertChannel(stores, { orgId, createdAt: time() });
        return { id: row.targetId, values: { created: row.createdAt } };
      },
      delete: (id) => stores.channels.delete(orgId, id),
    },
    ...([undefined, 'open', 'acknowledged'] as const).map(
      (status): ListedRows => ({
        name: `alerts, status ${status}`,
        list: alertList,
        read: (query) => read(readers.alerts.list(orgId, { ...query, status }), (row) => row.alertId),
        async add() {
          const row = { alertId: newId(), threshold: random.below(3), raisedAtMs: time() };
          const others = { kind: 'threshold' as const, window: 'month' as const, limit: 1 };
          const windowStartMs = count();
          const acknowledgedAtMs = status === 'acknowledged' ? 1 : null;
          await db
            .insertInto('alerts')
            .values({
              ...row,
              ...others,
              orgId,
              windowStartMs,
              fact: `month ${windowStartMs}`,
              used: 1,
              exhaustsAtMs: null,
              acknowledgedAtMs,
            })
            .execute();
          return { id: row.alertId, values: { created: row.raisedAtMs } };
        },
        delete: (id) => db.deleteFrom('alerts').where('alertId', '=', id).execute(),
      }),
    ),
    ...(['all', 'failed', 'of the target', 'failed, of the target'] as const).map(
      (kind): ListedRows => ({
        name: `deliveries, ${kind}`,
        list: deliveryList,
        read(query) {
          const filter = {
            status: kind.startsWith('failed') ? ('failed' as const) : undefined,
            targetId: kind.endsWith('target') ? target.targetId : undefined,
          };
          return read(readers.deliveries.list(orgId, { ...query, ...filter }), (row) => row.deliveryId);
        },
        async add() {
          const row = { deliveryId: newId(), createdAt: time(), status: 'failed' as const };
          const message = { messageId: newId(), alertId: null, type: 'test' as const, payload: '{}' };
          const times = { attempts: 1, nextAttemptAt: 0, lastAttemptAt: 0, claimedUntil: 0 };
          await db
            .insertInto('deliveries')
            .values({ ...row, ...message, ...times, orgId, targetId: target.targetId, lastOutcome: 'x' })
            .execute();
          return { id: row.deliveryId, values: { created: row.createdAt } };
        },
        delete: (id) => db.deleteFrom('deliveries').where('deliveryId', '=', id).execute(),
      }),
    ),
    ...(['of an organization', 'of all'] as const).map(
      (kind): ListedRows => ({
        name: `audit log, ${kind}`,
        list: auditList,
        read(query) {
          // Everything else that the test does has entries too.
          const filter = kind === 'of all' ? { targetId: kind } : { orgId: kind };
          return read(readers.audit.page(filter, auditList.request(query)), (row) => row.entryId);
        },
        async add() {
          const row = { entryId: newId(), at: time(), orgId: kind, targetId: kind };
          const others = { targetName: null, before: null, after: null, address: null, requestId: null };
          const actor = { actorKind: 'user' as const, actorId: userId, actorName: null, byOperator: 0 };
          await db
            .insertInto('audit_entries')
            .values({ ...row, ...others, ...actor, action: 'key.create' })
            .execute();
          return { id: row.entryId, values: { at: row.at } };
        },
        delete: (id) => db.deleteFrom('audit_entries').where('entryId', '=', id).execute(),
      }),
    ),
  ];
}

type Lists =
  | ('organizations' | 'members' | 'keys' | 'users' | 'invitations')
  | ('sessions' | 'channels' | 'alerts' | 'deliveries' | 'audit');
