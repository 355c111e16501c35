import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { readConfig } from '../../../src/config/config.ts';
import { ownSteps, stepsTable } from '../../../src/database/migrations/index.ts';
import { backUp } from '../../../src/service/backup.ts';
import { movedTables } from '../../../src/service/move/source.ts';
import { move } from '../../../src/service/move.ts';
import { version } from '../../../src/version.ts';
import { listeningApp } from '../../helpers/app.ts';
import { batchClient, jsonl, line } from '../../helpers/batch-client.ts';
import { Browser } from '../../helpers/browser.ts';
import { TestClock } from '../../helpers/clock.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { openPostgres, runSql } from '../../helpers/postgres.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { type Facts, hashesOfSteps, namesOfSettings } from './facts.ts';

// `npm run fixture` writes test/data/releases/VERSION with this release's program: a data directory with something of everything
// that outlives a release, a backup, a Postgres, and what must be true of them. A release makes its own once, and never changes one.

const clock = new TestClock('2026-12-01T12:00:00Z');
using data = temporaryDirectory();
const to = fileURLToPath(new URL(`../../data/releases/${version}/`, import.meta.url));
mkdirSync(to, { recursive: true });
const texts = ['The quick brown fox', 'Numbers in formats', 'Ünïcode “text” 🙂'];
const lines = 1_500;
const password = 'correct horse battery';
const member = { email: 'ada@example.com', password };

const app = await listeningApp({
  clock,
  environment: { DATA_DIR: data.path, WEBHOOK_PRIVATE_ADDRESSES: 'allow' },
});
const { orgId } = app;
const admin = await new Browser(app.address).signIn(app.administrator);
const org = `/v1/organizations/${orgId}`;
const keys: Facts['keys'] = [];
const make = async (name: string, status: number, body: object = {}, path = `${org}/keys`) => {
  const made = await admin.ask<{ key: string; key_id: string }>(201, 'POST', path, {
    name,
    expires_in_days: null,
    ...body,
  });
  keys.push({ name, secret: made.key, status });
  return made.key_id;
};
await make('active', 200);
await make('only read', 403, { scopes: ['read'] });
await make('no model', 403, { models: [] });
await make('elsewhere', 401, { networks: ['203.0.113.0/24'] });
await make('here', 200, { networks: ['127.0.0.0/8', '::1/128'] });
await make('of a user', 200, { user_id: 'u' });
await make('expired', 401, { expires_in_days: 1 });
await admin.ask(200, 'PATCH', `${org}/keys/${await make('paused', 401)}`, { enabled: false });
await admin.ask(200, 'POST', `${org}/keys/${await make('revoked', 401)}/revoke`);
const old = await make('rotated', 200);
const successor = await admin.ask<{ key: string }>(201, 'POST', `${org}/keys/${old}/rotate`, {
  grace_seconds: 31_536_000,
});
keys.push({ name: 'successor', secret: successor.key, status: 200 });
await make('installation', 403, { scopes: ['read'], expires_in_days: 36_500 }, '/v1/keys');

clock.advance(2 * 86_400_000);

await admin.ask(200, 'PUT', `${org}/tier`, { tier: 'pro' });
const limit = { unit: 'texts', window: 'month', amount: 1_000 };
await admin.ask(201, 'POST', `${org}/limits`, limit);
await admin.ask(201, 'POST', `${org}/limits`, { ...limit, key_id: old, unit: 'requests', window: 'day' });
await admin.ask(201, 'POST', `${org}/limits`, {
  ...limit,
  unit: 'requests_at_once',
  window: null,
  user_id: 'u',
});
const { user } = await app.services.users.create({ email: member.email, password, name: 'Ada' });
await app.services.members.add(orgId, user.userId, 'admin');
await admin.ask(201, 'POST', `${org}/invitations`, { email: 'bea@example.com', role: 'viewer' });
await admin.ask(201, 'POST', '/v1/organizations', {
  name: 'Other',
  tier: 'enterprise',
  external_id: 'other-1',
});
await admin.ask(201, 'POST', `${org}/alerts/targets`, {
  kind: 'webhook',
  address: 'http://127.0.0.1:9/hook',
});

const vectors: Facts['vectors'] = {};
for (const text of texts) {
  const response = await requestEmbeddings(app.address, app.key, text);
  const body = (await response.json()) as { data: { embedding: number[] }[] };
  vectors[text] = body.data[0]!.embedding.slice(0, 8);
}
const standing = await app.services.ledger.readStanding(orgId);
await app.services.alerting.alerts.raise([
  { orgId, kind: 'threshold', threshold: 80, standing, exhaustsAtMs: null },
]);
const client = batchClient(app);
const bodies = Array.from({ length: lines }, (_, i) =>
  line(`line ${i}`, { input: `text ${i % 60}`, dimensions: 8 }),
);
const done = await client.ended((await client.create(jsonl(bodies.slice(0, 20)))).id);
const { fingerprint } = app.services.models.default.served.model;
const begun = await client.create(jsonl(bodies));
const key = app.key;
// Stopped after some of its lines.
while ((await client.send('GET', `/batches/${begun.id}`)).json.request_counts.completed === 0)
  await setTimeout(1);
await app[Symbol.asyncDispose]();
using database = new DatabaseSync(join(data.path, 'embedgate.db'));

const environment = { DATA_DIR: data.path };
await backUp(readConfig(environment), { to: join(to, 'backup.tar.gz'), force: true }, () => {});
await using postgres = await openPostgres();
const url = await postgres.createDatabase();
await move(environment, { path: join(data.path, 'embedgate.db'), url }, () => {});
const rows: Record<string, unknown[]> = {};
for (const table of [stepsTable, ...movedTables, 'vectors'])
  rows[table] = (await runSql(url, `SELECT to_json(t) AS row FROM ${table} t`)).map(({ row }) => row);
const { postgres: statements } = await ownSteps.load(0);
writeFileSync(join(to, 'postgres.json.gz'), gzipSync(JSON.stringify({ statements: statements(), rows })));

const counts: Facts['counts'] = {};
for (const { name } of database
  .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`)
  .all() as { name: string }[])
  counts[name] = Number(database.prepare(`SELECT count(*) AS count FROM ${name}`).get()!.count);
const facts: Facts = {
  at: new Date(clock.now()).toISOString(),
  orgId,
  key,
  keys,
  member,
  fingerprint,
  vectors,
  counts,
  batches: { done: done.id, begun: begun.id, lines },
  settings: namesOfSettings(),
  steps: await hashesOfSteps(),
};
writeFileSync(join(to, 'facts.json'), `${JSON.stringify(facts, null, 2)}\n`);
database.close();
for (const name of ['exclusive.lock', 'models']) execFileSync('rm', ['-rf', join(data.path, name)]);
execFileSync('tar', ['-czf', join(to, 'data.tar.gz'), '-C', data.path, '.']);
const sums = ['backup.tar.gz', 'data.tar.gz', 'facts.json', 'postgres.json.gz'].map(
  (name) =>
    `${createHash('sha256')
      .update(readFileSync(join(to, name)))
      .digest('hex')}  ${name}\n`,
);
writeFileSync(join(to, 'SHA256SUMS'), sums.join(''));
console.log(`Wrote ${to}`);
