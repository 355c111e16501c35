import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fixedKeyring, generateSigningKey } from '../../../src/keys/keyring.ts';
import { accountSecurity } from '../../../src/store/migrations/0006-account-security.ts';
import { migrations } from '../../../src/store/migrations/index.ts';
import { migrateSqlite } from '../../../src/store/sqlite/migrate.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';

test('the upgrade does not trust an address that only an invitation’s link had verified', async () => {
  using directory = temporaryDirectory();
  const before = migrations.slice(0, migrations.indexOf(accountSecurity));
  using database = new DatabaseSync(join(directory.path, 'embedgate.db'));
  for (const { statements } of before) for (const sql of statements('sqlite')) database.exec(sql);
  database.exec(`
    PRAGMA user_version = ${before.length};
    INSERT INTO installation VALUES (1, 1);
    INSERT INTO organizations VALUES ('o', 'Acme', 'free', NULL, NULL, 1, 1);
    INSERT INTO invitations VALUES ('i', 'o', 'i@example.com', 'member', 'digest', 1, 'password', 1, 2);
  `);
  const ways = { password: ['credential'], provider: ['oidc'], both: ['credential', 'github'] };
  for (const [id, providers] of Object.entries(ways)) {
    database
      .prepare(`INSERT INTO users VALUES (?, 'x', ? || '@example.com', 1, NULL, 0, 0, '', '')`)
      .run(id, id);
    for (const provider of providers) {
      database
        .prepare(
          `INSERT INTO credentials (id, user_id, provider_id, account_id, created_at, updated_at) VALUES (?, ?, ?, ?, '', '')`,
        )
        .run(`${id} ${provider}`, id, provider, id);
    }
  }
  await migrateSqlite(directory.path, { keyring: () => fixedKeyring([generateSigningKey()]) });
  const verified = database.prepare('SELECT id FROM users WHERE email_verified = 1 ORDER BY id').all();
  assert.deepEqual(
    verified.map(({ id }) => id),
    ['both', 'provider'],
  );
  assert.equal(database.prepare('SELECT mailed FROM invitations').get()?.mailed, 0);
  assert.equal(database.prepare('SELECT pending_org_id FROM installation').get()?.pending_org_id, null);
});
