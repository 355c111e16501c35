import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { Browser } from '../../helpers/browser.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import type { Environment } from '../../helpers/embedgate.ts';
import { openPostgres } from '../../helpers/postgres.ts';
import { Random } from '../../helpers/random.ts';
import { ownPostgres } from '../../helpers/replicas.ts';
import { startService } from '../../helpers/service.ts';

// AUDIT_OPERATIONS=10000 node test/run.ts long store/audit

const operations = Number(process.env.AUDIT_OPERATIONS ?? 500);
const perKill = Math.min(500, operations / 2);
const clients = 8;

type Row = Record<string, unknown>;
type Kind = 'keys' | 'limits' | 'invitations' | 'targets';
type Read = (table: string) => Promise<Row[]>;

describe('random changes by a service that is killed', async () => {
  const postgres = await openPostgres();
  after(() => postgres[Symbol.asyncDispose]());

  test('on SQLite, the entries say exactly what the tables have', async () => {
    using directory = temporaryDirectory();
    await changeAtRandom({ DATA_DIR: directory.path }, directory.path);
    using database = new DatabaseSync(join(directory.path, 'embedgate.db'));
    await assertSame(async (table) => database.prepare(`SELECT * FROM ${table}`).all());
  });

  test('on Postgres, the entries say exactly what the tables have', async () => {
    const url = await postgres.createDatabase();
    using directory = temporaryDirectory();
    await changeAtRandom(ownPostgres(url), directory.path);
    const client = new pg.Client(url);
    await client.connect();
    try {
      await assertSame(async (table) => (await client.query(`SELECT * FROM ${table}`)).rows);
    } finally {
      await client.end();
    }
  });
});

/** Sends changes, and kills the service again and again while some are in progress. */
async function changeAtRandom(environment: Environment, dataDir: string): Promise<void> {
  const world = new World(new Random(operations));
  let administrator: { email: string; password: string } | undefined;
  let sent = 0;
  while (sent < operations) {
    await using service = await startService({
      dataDir,
      environment: { ...environment, MAX_KEYS_PER_ORGANIZATION: '100000' },
    });
    administrator ??= service.administrator;
    const page = await new Browser(service.address).signIn(administrator);
    const end = Math.min(operations, sent + perKill);
    const client = async () => {
      while (sent < end) {
        sent += 1;
        // The last ones are in progress when the kill comes.
        if (sent === end) void service.kill('SIGKILL');
        await world.change(page).catch(() => {});
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    await service.exited;
  }
  assert.ok(world.done > operations * 0.6, `only ${world.done} of ${sent} changes succeeded`);
}

/** What the changes so far have created. */
class World {
  readonly #random: Random;
  readonly #organizations: string[] = [];
  readonly #users: string[] = [];
  /** Paths below /v1 of what can be changed and deleted. */
  readonly #paths: Record<Kind, string[]> = {
    keys: [],
    limits: [],
    invitations: [],
    targets: [],
  };
  done = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  async change(page: Browser): Promise<void> {
    const random = this.#random;
    const send = async (method: string, path: string, body?: unknown): Promise<Record<string, string>> => {
      const response = await page.send(method, path, body);
      const text = await response.text();
      assert.ok(response.status < 500, `${method} ${path}: ${response.status} ${text}`);
      if (response.ok) this.done += 1;
      return response.ok && text !== '' ? JSON.parse(text) : {};
    };
    const name = random.hex(8);
    const email = `${name}@example.com`;
    if (this.#organizations.length < 3 || random.chance(0.02)) {
      const { org_id } = await send('POST', '/v1/organizations', { name });
      if (org_id) this.#organizations.push(org_id);
      return;
    }
    const orgId = random.pick(this.#organizations);
    const org = `/v1/organizations/${orgId}`;
    const one = (kind: Kind) => random.pick(this.#paths[kind]) ?? `${org}/none`;
    const take = (kind: Kind) => {
      const paths = this.#paths[kind];
      return paths.splice(random.below(paths.length), 1)[0] ?? `${org}/none`;
    };
    const create = async (kind: Kind, path: string, body: unknown, id: string) => {
      const created = await send('POST', path, body);
      if (created[id]) this.#paths[kind].push(`${path}/${created[id]}`);
    };
    const choices: (() => Promise<unknown>)[] = [
      () => create('keys', `${org}/keys`, { name }, 'key_id'),
      () => create('keys', `${org}/keys`, { name, scopes: ['read'] }, 'key_id'),
      () => send('PATCH', one('keys'), { name, enabled: random.chance(0.5) }),
      () => send('PATCH', one('keys'), { scopes: random.chance(0.5) ? ['embed'] : ['embed', 'read'] }),
      () => send('POST', `${one('keys')}/rotate`, {}),
      () => send('POST', `${one('keys')}/revoke`),
      () => {
        const unit = random.pick(['texts', 'tokens', 'requests']);
        const window = random.pick(['hour', 'day', 'month']);
        return create('limits', `${org}/limits`, { unit, window, amount: 1 + random.below(9) }, 'limit_id');
      },
      () => send('PATCH', one('limits'), { amount: 1 + random.below(9) }),
      () => send('DELETE', take('limits')),
      () => send('PATCH', org, { name: random.chance(0.3) ? 'same' : name }),
      () => send('PUT', `${org}/tier`, { tier: random.pick(['free', 'pro', 'scale']) }),
      () => send('DELETE', `${org}/vectors`),
      () => create('invitations', `${org}/invitations`, { email, role: 'member' }, 'invitation_id'),
      () => send('DELETE', take('invitations')),
      () => send('PUT', `${org}/alerts/settings`, { thresholds: [1 + random.below(5)], projection: true }),
      () =>
        create(
          'targets',
          `${org}/alerts/targets`,
          { kind: 'webhook', address: `https://127.0.0.1/${name}` },
          'target_id',
        ),
      () => send('DELETE', take('targets')),
      () => send('PATCH', '/v1/me', { name }),
    ];
    if (random.chance(0.01)) {
      this.#organizations.splice(this.#organizations.indexOf(orgId), 1);
      for (const [kind, paths] of Object.entries(this.#paths))
        this.#paths[kind as Kind] = paths.filter((path) => !path.startsWith(org));
      await send('DELETE', org);
    } else if (random.chance(0.04)) {
      const { user_id } = await send('POST', '/v1/users', { email });
      if (user_id) this.#users.push(user_id);
    } else if (random.chance(0.06) && this.#users.length > 0) {
      const user = `/v1/users/${random.pick(this.#users)}`;
      if (random.chance(0.3)) await send('DELETE', `${user}?revoke_keys=true`);
      else await send('PATCH', user, { is_admin: random.chance(0.5), disabled: random.chance(0.5) });
    } else await random.pick(choices)();
  }
}

/** The fields of each table that the entries of its kind follow. */
const followed: Record<string, { table: string; id: (row: Row) => string; fields: readonly string[] }> = {
  organization: { table: 'organizations', id: (row) => `${row.org_id}`, fields: ['name', 'tier'] },
  key: { table: 'api_keys', id: (row) => `${row.key_id}`, fields: ['name', 'enabled', 'status'] },
  limit: { table: 'limits', id: (row) => `${row.limit_id}`, fields: ['amount', 'unit'] },
  member: { table: 'members', id: (row) => `${row.org_id} ${row.user_id}`, fields: ['role'] },
  invitation: { table: 'invitations', id: (row) => `${row.invitation_id}`, fields: ['email', 'role'] },
  channel: { table: 'notification_targets', id: (row) => `${row.target_id}`, fields: ['kind'] },
  user: { table: 'users', id: (row) => `${row.id}`, fields: ['name', 'email', 'is_admin', 'is_disabled'] },
};
const flags = ['enabled', 'is_admin', 'is_disabled'];

/** Repeats the changes of all entries, and compares what comes out with the tables. */
async function assertSame(read: Read): Promise<void> {
  const entries = (await read('audit_entries')).sort((a, b) => (`${a.entry_id}` < `${b.entry_id}` ? -1 : 1));
  const states = new Map<string, Map<string, Row>>(Object.keys(followed).map((kind) => [kind, new Map()]));
  const thresholds = new Map<string, unknown>();
  let sessions = 0;
  for (const entry of entries) {
    const [kind = '', verb = ''] = String(entry.action).split('.');
    const before = JSON.parse(String(entry.before ?? '{}')) as Row;
    const changed = JSON.parse(String(entry.after ?? '{}')) as Row;
    if (kind === 'session') sessions += verb === 'create' ? 1 : -1;
    if (kind === 'alert-settings')
      thresholds.set(`${entry.org_id}`, changed.thresholds ?? thresholds.get(`${entry.org_id}`));
    const state = states.get(kind);
    if (!state) continue;
    const id = kind === 'member' ? `${entry.org_id} ${entry.target_id}` : `${entry.target_id}`;
    const known = state.get(id);
    const told = `${entry.action} of ${id}: ${entry.before} → ${entry.after}, known ${JSON.stringify(known)}`;
    if (verb === 'create') assert.ok(known === undefined, `created twice: ${told}`);
    else assert.ok(known, `changed before it was created: ${told}`);
    for (const [field, value] of Object.entries(before))
      if (known && field in known) assert.deepEqual(known[field], value, told);
    if (verb === 'delete') state.delete(id);
    else
      state.set(id, {
        org_id: entry.org_id,
        ...known,
        ...changed,
        ...(verb === 'revoke' && { status: 'revoked' }),
      });
    if (entry.action !== 'organization.delete') continue;
    thresholds.delete(`${entry.target_id}`);
    for (const owned of states.values())
      for (const [key, row] of owned) if (row.org_id === entry.target_id) owned.delete(key);
  }
  for (const [kind, { table, id, fields }] of Object.entries(followed)) {
    const valuesOf = (row: Row) =>
      fields.map((field) => (flags.includes(field) ? Boolean(row[field]) : (row[field] ?? null)));
    const rows = (await read(table)).map((row) => [id(row), ...valuesOf(row)]);
    const stored = new Set(rows.map(([key]) => key));
    const repeated = [...states.get(kind)!]
      // The service deletes ended keys without entries, also before it deletes their organization.
      .filter(([key, { status }]) => status !== 'revoked' || stored.has(key))
      .map(([key, row]) => [key, ...valuesOf(row)]);
    const inOrder = (list: unknown[][]) => list.sort((a, b) => (`${a[0]}` < `${b[0]}` ? -1 : 1));
    // Postgres returns BIGINT as text.
    assert.deepEqual(
      JSON.stringify(inOrder(repeated)),
      JSON.stringify(inOrder(rows)).replaceAll(/"(\d)"/g, '$1'),
      table,
    );
  }
  const settings = (await read('alert_settings')).map((row) => [row.org_id, row.thresholds]);
  assert.deepEqual(
    new Map([...thresholds].map(([orgId, value]) => [orgId, (value as number[]).join(',')])),
    new Map(settings as [string, string][]),
  );
  assert.equal((await read('sessions')).length, sessions, 'sessions');
}
