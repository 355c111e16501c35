import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { schemaVersion } from '../../../../src/database/migrations/index.ts';
import { migratePostgres } from '../../../../src/database/postgres/migrate.ts';
import { openPostgresStores } from '../../../../src/service/postgres/open.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { holdLocks, openPostgres, runSql } from '../../../helpers/postgres.ts';
import { untilEnd } from '../../../helpers/until-end.ts';
import { openReplica, patient } from './replicas.ts';

describe('migrations on Postgres', async () => {
  const postgres = untilEnd(await openPostgres());

  test('replicas that start at once on an empty database run each step once', async () => {
    for (let round = 0; round < 2; round += 1) {
      const url = await postgres.createDatabase();
      const steps = await Promise.all(Array.from({ length: 6 }, () => migratePostgres(url)));
      assert.equal(
        steps.reduce((sum, taken) => sum + taken, 0),
        schemaVersion,
      );
      assert.equal(await migratePostgres(url), 0);
    }
  });

  test('a schema newer than the program’s is left alone', async () => {
    const url = await postgres.createDatabase();
    await migratePostgres(url);
    const newer = schemaVersion + 1;
    await runSql(url, `INSERT INTO schema_steps (name, timestamp) VALUES ('9999-later', '')`);
    const refusal = { message: new RegExp(`schema version ${newer}, .* up to ${schemaVersion}`) };
    await assert.rejects(migratePostgres(url), refusal);
    await assert.rejects(openPostgresStores(url), refusal);
  });

  test('a database of a checkout before 1.0 is left alone', async () => {
    const url = await postgres.createDatabase();
    await runSql(url, 'CREATE TABLE schema_versions (version BIGINT)');
    await assert.rejects(openPostgresStores(url), { message: /^It was created before version 1\.0/ });
    const tables = `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`;
    assert.deepEqual(await runSql(url, tables), [{ name: 'schema_versions' }]);
  });

  const tablesIn = async (url: string) => {
    const rows = await runSql(
      url,
      `SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };

  test('a step gives way while another session holds a lock that it needs', async () => {
    const url = await postgres.createDatabase();
    const locks = await holdLocks(url, 'CREATE TABLE limits (id INT)');
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const waits = async () => (await runSql(url, waiting)).length;
    const migrating = migratePostgres(url);
    await eventually(async () => (await waits()) > 0);
    await eventually(async () => (await waits()) === 0);
    await locks[Symbol.asyncDispose]();
    assert.equal(await migrating, schemaVersion);
  });

  test('two installations run in two schemas of one database', async () => {
    const url = await postgres.createDatabase();
    await runSql(url, 'CREATE SCHEMA one; CREATE SCHEMA two');
    const schemas = ['one', 'two'];
    for (const path of ['one', 'two%2Cone'])
      assert.equal(await migratePostgres(`${url}?options=-c%20search_path%3D${path}`), schemaVersion);
    const counts = await runSql(
      url,
      `SELECT table_schema AS name, count(*)::INT AS tables FROM information_schema.tables
        WHERE table_schema IN ('one', 'two') GROUP BY 1 ORDER BY 1`,
    );
    assert.deepEqual(
      counts.map(({ name }) => name),
      schemas,
    );
    assert.equal(counts[0]!.tables, counts[1]!.tables);
  });

  const starts: Record<string, [prepare: string, query: string, message: RegExp]> = {
    'a role that may create no tables': [
      `REVOKE CREATE ON SCHEMA public FROM public; CREATE ROLE reader LOGIN PASSWORD 'secret'`,
      '?user=reader',
      /^the step 0001-tables failed: permission denied for schema public \(SQLSTATE 42501\): the role must own the database or its schema$/,
    ],
    'a role that may not connect': [
      `DO $$ BEGIN EXECUTE 'REVOKE CONNECT ON DATABASE ' || current_database() || ' FROM public'; END $$;
       CREATE ROLE outsider LOGIN PASSWORD 'secret'`,
      '?user=outsider',
      /^permission denied for database .* \(SQLSTATE 42501\): GRANT CONNECT ON DATABASE … TO the role$/,
    ],
    'a table of another program': [
      'CREATE TABLE organizations (id INT)',
      '',
      /^the step 0001-tables failed: relation "organizations" already exists \(SQLSTATE 42P07\): if other .* a schema of its own$/,
    ],
    'a type of another program': [
      `CREATE TYPE organizations AS ENUM ('one')`,
      '',
      /^the step 0001-tables failed: type "organizations" already exists \(SQLSTATE 42710\): if other .* a schema of its own$/,
    ],
    'a table schema_steps of another program': [
      'CREATE TABLE schema_steps (step INT)',
      '',
      /^column "name" does not exist \(SQLSTATE 42703\): if other .* a schema of its own$/,
    ],
    'steps of another program': [
      `CREATE TABLE schema_steps (name TEXT); INSERT INTO schema_steps VALUES ('one')`,
      '',
      /empty database if an earlier checkout or another program made this one$/,
    ],
    'an isolation of the role': [
      `CREATE ROLE strict LOGIN PASSWORD 'secret'; ALTER ROLE strict SET default_transaction_isolation = 'serializable'`,
      '?user=strict',
      /default_transaction_isolation is "serializable"; ALTER ROLE … SET .* = 'read committed'$/,
    ],
    'a role with too few connections': [
      `CREATE ROLE few LOGIN PASSWORD 'secret' CONNECTION LIMIT 3; GRANT ALL ON SCHEMA public TO few`,
      '?user=few',
      /^The role may have 3 connections, and 4 are needed; ALTER ROLE … CONNECTION LIMIT -1$/,
    ],
    'a schema that does not exist': [
      '',
      '?options=-c%20search_path%3Dnowhere',
      /no schema has been selected/,
    ],
  };
  for (const [name, [prepare, query, message]] of Object.entries(starts)) {
    test(`${name} ends the start with one line, and leaves no table`, async () => {
      const url = await postgres.createDatabase();
      await runSql(url, prepare);
      const before = await tablesIn(url);
      const role = new URLSearchParams(query).get('user');
      const address = new URL(role ? url : url + query);
      if (role) [address.username, address.password] = [role, 'secret'];
      await assert.rejects(openPostgresStores(address.href), { message });
      assert.deepEqual(await tablesIn(url), before);
    });
  }

  test('a pooler that refuses a startup parameter ends the start before anything is created', async () => {
    const url = await postgres.createDatabase();
    const { hostname, port } = new URL(url);
    const refused = 'unsupported startup parameter: statement_timeout';
    const refusal = `SFATAL\0VFATAL\0C08P01\0M${refused}\0\0`;
    await using pooler = createServer((inbound) => {
      inbound.once('data', (startup) => {
        if (startup.includes('statement_timeout'))
          return inbound.end(Buffer.from(`E\0\0\0${String.fromCharCode(refusal.length + 4)}${refusal}`));
        const outbound = connect(Number(port), hostname);
        outbound.write(startup);
        return inbound.pipe(outbound).pipe(inbound);
      });
    }).listen(0, '127.0.0.1');
    await once(pooler, 'listening');
    const address = new URL(url);
    address.port = String((pooler.address() as AddressInfo).port);
    const message = new RegExp(`^${refused}: the pooler must ignore it, or DATABASE_URL must lead past`);
    for (const open of [openPostgresStores, migratePostgres])
      await assert.rejects(open(address.href), { message });
    assert.deepEqual(await tablesIn(url), []);
  });

  test('another encoding than UTF8 ends the start before anything is created', async () => {
    const url = await postgres.createDatabase();
    const latin = new URL(url);
    latin.pathname = `${latin.pathname}_latin`;
    const name = latin.pathname.slice(1);
    await runSql(url, `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    try {
      await assert.rejects(migratePostgres(latin.href), {
        message: /has the encoding LATIN1; create one with/,
      });
      assert.deepEqual(await tablesIn(latin.href), []);
    } finally {
      await runSql(url, `DROP DATABASE ${name}`);
    }
  });

  test('a table of another program with the name of our old one is left alone', async () => {
    const url = await postgres.createDatabase();
    await runSql(url, 'CREATE TABLE schema_versions (version TEXT)');
    assert.equal(await migratePostgres(url), schemaVersion);
  });

  test('functions of another program stay while one of its replicas uses them, and go 30 days later', async () => {
    const url = await postgres.createDatabase();
    await migratePostgres(url);
    const another = 'CREATE FUNCTION flush_quota_0123456789ab() RETURNS INT LANGUAGE sql AS $$ SELECT 1 $$';
    await runSql(url, another);
    await runSql(url, `INSERT INTO function_sets VALUES ('0123456789ab', now() - INTERVAL '29 days')`);
    const names = async () => {
      const rows = await runSql(
        url,
        `SELECT proname AS name FROM pg_proc WHERE proname LIKE 'flush\\_quota\\_%'`,
      );
      return rows.length;
    };
    await migratePostgres(url);
    assert.equal(await names(), 2);
    await runSql(url, `UPDATE function_sets SET used_at = now() - INTERVAL '31 days'`);
    await migratePostgres(url);
    assert.equal(await names(), 1);
    await using replica = await openReplica(url, patient);
    assert.ok(await replica.stores.ledger.flush([]));
  });

  test('a role that may not drop the functions of another program starts without that', async () => {
    const url = await postgres.createDatabase();
    await migratePostgres(url);
    await runSql(
      url,
      `CREATE FUNCTION flush_quota_abcdef012345() RETURNS INT LANGUAGE sql AS $$ SELECT 1 $$;
       UPDATE function_sets SET used_at = now() - INTERVAL '2 days';
       INSERT INTO function_sets VALUES ('abcdef012345', now() - INTERVAL '31 days');
       CREATE ROLE serving LOGIN PASSWORD 'secret';
       GRANT ALL ON ALL TABLES IN SCHEMA public TO serving`,
    );
    const address = new URL(url);
    [address.username, address.password] = ['serving', 'secret'];
    assert.equal(await migratePostgres(address.href), 0);
  });

  test('a database that cannot be reached gives a readable error', async () => {
    await assert.rejects(openPostgresStores('postgres://nobody@localhost:1/none'), {
      message: /ECONNREFUSED/,
    });
  });
});
