import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { schemaVersion } from '../../../../src/store/migrations/index.ts';
import { migratePostgres } from '../../../../src/store/postgres/migrate.ts';
import { openPostgresStores } from '../../../../src/store/postgres/open.ts';
import { openPostgres, runSql } from '../../../helpers/postgres.ts';
import { untilEnd } from '../../../helpers/until-end.ts';
import { openReplica, patient } from './replicas.ts';

describe('migrations on Postgres', async () => {
  const postgres = untilEnd(await openPostgres());

  test('replicas that start at once on an empty database run each step once', async () => {
    for (let round = 0; round < 3; round += 1) {
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

  test('a database that cannot be reached gives a readable error', async () => {
    await assert.rejects(openPostgresStores('postgres://nobody@localhost:1/none'), {
      message: /ECONNREFUSED/,
    });
  });
});
