import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { schemaVersion } from '../../../src/database/migrations/index.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { type Environment, embedgateJson, runCommand, spawnEmbedgate } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startLoad } from '../../helpers/load.ts';
import { smallDisk } from '../../helpers/mounts.ts';
import { done, refused } from '../../helpers/outcomes.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { backedUpRows, fillDataDirectory, sumsOfSqlite } from '../../service/cli/moving.ts';
import { addEntry, rewriteManifest } from '../../service/cli/rewrite-manifest.ts';

type Backup = { store: string; schema_version: number; tables: Record<string, number>; secrets: string[] };

const backUp = (file: string, environment: Environment) =>
  embedgateJson<Backup>(['backup', '--to', file], environment);
const restore = (file: string, environment: Environment) =>
  runCommand(['restore', '--from', file], environment);

describe('backup and restore', async () => {
  const directory = untilEnd(temporaryDirectory());
  const filled = join(directory.path, 'filled');
  const file = join(directory.path, 'filled.tar.gz');
  const keys = await fillDataDirectory(filled, 10);
  await using _service = await startService({ dataDir: filled });
  await backUp(file, { DATA_DIR: filled });

  it('a backup of a busy SQLite service shows a single moment when it is restored elsewhere', async () => {
    await using service = await startService();
    const dataDir = join(directory.path, 'under-load');
    const to = join(directory.path, 'under-load.tar.gz');
    const beganS = Math.floor(Date.now() / 1_000);
    const load = startLoad(service.address, [service.key], 6);
    await eventually(() => load.answered > 20);
    await backUp(to, service.environment);
    const metrics = await (await fetch(`${service.address}/metrics`)).text();
    const [, backedUpS] = /^embedgate_last_backup_timestamp_seconds (\S+)$/m.exec(metrics) ?? [];
    assert.ok(Number(backedUpS) >= beganS, backedUpS);
    const answered = load.answered;
    await eventually(() => load.answered > answered);
    load.stop();
    await load.done;
    assert.equal(load.refused, 0);
    assert.equal(statSync(to).mode & 0o777, 0o600);
    done(await restore(to, { DATA_DIR: dataDir }));
    const [sum, ...others] = sumsOfSqlite(dataDir);
    assert.deepEqual(others, []);
    assert.equal(sum?.org_id, service.orgId);
    assert.equal(sum?.used, sum?.counted);
    assert.ok(sum!.used >= 20 && sum!.used < load.answered, `${sum?.used} of ${load.answered} were counted`);
    await using other = await startService({ dataDir });
    assert.match(other.stdout(), /^Embedgate [\d.]+ listens on/);
    const answer = await requestEmbeddings(other.address, service.key, 'after the restore');
    assert.equal(answer.status, 200);
    assert.equal(Number(answer.headers.get('x-ratelimit-remaining')), 10_000 - sum!.used - 1);
  });

  it('restores every row of SQLite as it was, and the secrets, but not the cache', async () => {
    const dataDir = join(directory.path, 'rows');
    const { tables, ...report } = await backUp(join(directory.path, 'rows.tar.gz'), { DATA_DIR: filled });
    assert.deepEqual(report.secrets, ['signing-key.pem', 'auth-secret']);
    const printed = done(await restore(join(directory.path, 'rows.tar.gz'), { DATA_DIR: dataDir }));
    assert.ok(printed.includes(dataDir));
    assert.deepEqual(readdirSync(dataDir).sort(), [
      'auth-secret',
      'embedgate.db',
      'exclusive.lock',
      'signing-key.pem',
    ]);
    for (const name of ['auth-secret', 'signing-key.pem']) {
      assert.deepEqual(readFileSync(join(dataDir, name)), readFileSync(join(filled, name)));
      assert.equal(statSync(join(dataDir, name)).mode & 0o777, 0o600);
    }
    await using service = await startService({ dataDir });
    const rows = backedUpRows(filled);
    assert.deepEqual(Object.keys(tables), Object.keys(rows));
    for (const [table, count] of Object.entries(tables)) assert.equal(rows[table]?.length, count, table);
    assert.deepEqual(backedUpRows(dataDir), rows);
    for (const key of keys) assert.equal((await requestEmbeddings(service.address, key, 'x')).status, 200);
  });

  it('replaces a file only with --force, and never leaves half of one', async () => {
    const to = join(directory.path, 'twice.tar.gz');
    writeFileSync(to, 'mine');
    const again = ['backup', '--to', to];
    assert.match(refused(await runCommand(again, { DATA_DIR: filled })), /twice.tar.gz exists.*--force/);
    assert.equal(readFileSync(to, 'utf8'), 'mine');
    done(await runCommand([...again, '--force'], { DATA_DIR: filled }));
    assert.notEqual(readFileSync(to, 'utf8'), 'mine');
    assert.deepEqual(
      readdirSync(directory.path).filter((name) => name.startsWith('twice.tar.gz.')),
      [],
    );
    const nowhere = join(directory.path, 'nowhere', 'backup.tar.gz');
    const reason = refused(await runCommand(['backup', '--to', nowhere], { DATA_DIR: filled }));
    assert.match(reason, /^There is no directory .*nowhere$/);
    const missing = join(directory.path, 'missing');
    assert.match(refused(await runCommand(again, { DATA_DIR: missing })), /There is no data in .*missing/);
  });

  it('leaves a complete file when two processes write to the same one, or refuses one of them', async () => {
    const to = join(directory.path, 'contended.tar.gz');
    const both = await Promise.all(
      [1, 2].map(() => runCommand(['backup', '--to', to], { DATA_DIR: filled })),
    );
    assert.ok(
      both.some(({ code }) => code === 0),
      both.map(({ stderr }) => stderr).join(''),
    );
    assert.ok(!existsSync(`${to}.partial`));
    done(await runCommand(['restore', '--from', to], { DATA_DIR: join(directory.path, 'contended') }));
  });

  it('refuses a file that is damaged, truncated or not a backup, and leaves nothing behind', async () => {
    const whole = readFileSync(file);
    const flipped = (at: number) => {
      const bytes = Buffer.from(whole);
      bytes[at] = bytes[at]! ^ 0x10;
      return bytes;
    };
    const broken = [
      ...[0, 0.2, 0.5, 0.9].map((part) => flipped(Math.floor(whole.length * part))),
      ...[0, 0.3, 0.99].map((part) => whole.subarray(0, Math.floor(whole.length * part))),
      whole.subarray(0, -4),
      Buffer.from('no archive at all'),
    ];
    for (const [i, bytes] of broken.entries()) {
      const to = join(directory.path, `broken-${i}.tar.gz`);
      writeFileSync(to, bytes);
      const dataDir = join(directory.path, `broken-${i}`);
      const reason = refused(await restore(to, { DATA_DIR: dataDir }));
      assert.match(reason, /is not a backup, or is damaged/, `broken file ${i}`);
      assert.deepEqual(readdirSync(dataDir), ['exclusive.lock']);
    }
    const missing = join(directory.path, 'missing.tar.gz');
    assert.match(
      refused(await restore(missing, { DATA_DIR: join(directory.path, 'broken-0') })),
      /^There is no backup/,
    );
  });

  it('refuses an archive without a database', async () => {
    const to = join(directory.path, 'empty.tar.gz');
    const manifest = gunzipSync(readFileSync(file)).toString('latin1');
    const text = /\{\n {2}"format".*?\n\}\n/s.exec(manifest)![0];
    const tar = await packTar([
      { header: { name: 'manifest.json', size: text.length, mode: 0o600 }, body: text },
    ]);
    writeFileSync(to, gzipSync(tar));
    const reason = refused(await restore(to, { DATA_DIR: join(directory.path, 'empty') }));
    assert.match(reason, /is not a backup, or is damaged: it has no embedgate\.db/);
    await addEntry(file, to, { name: 'embedgate.db', size: 0 });
    assert.match(
      refused(await restore(to, { DATA_DIR: join(directory.path, 'empty') })),
      /does not have the rows/,
    );
  });

  it('refuses an archive with a link or an additional file, and leaves nothing of it behind', async () => {
    const to = join(directory.path, 'crafted.tar.gz');
    const dataDir = join(directory.path, 'crafted');
    const entries = [
      [{ name: 'auth-secret', type: 'symlink', linkname: '/etc/passwd' }, /auth-secret in it is not a file/],
      [{ name: 'auth-secret', type: 'directory' }, /auth-secret in it is not a file/],
      [{ name: 'cache.db' }, /a file that does not belong there: "cache\.db"/],
      [{ name: '../x' }, /a file that does not belong there: "\.\.\/x"/],
    ] as const;
    for (const [entry, message] of entries) {
      await addEntry(file, to, { size: 0, ...entry });
      assert.match(refused(await restore(to, { DATA_DIR: dataDir })), message);
      assert.deepEqual(readdirSync(dataDir), ['exclusive.lock'], entry.name);
    }
    assert.match(refused(await restore(directory.path, { DATA_DIR: dataDir })), /is not a file$/);
    const backup = ['backup', '--to', directory.path, '--force'];
    assert.match(
      refused(await runCommand(backup, { DATA_DIR: filled })),
      /is a directory: name a file in it$/,
    );
  });

  it('refuses a backup of a newer schema', async () => {
    using place = temporaryDirectory();
    const to = join(directory.path, 'newer.tar.gz');
    await fillDataDirectory(place.path, 0);
    const database = new DatabaseSync(join(place.path, 'embedgate.db'));
    database.exec(`INSERT INTO schema_steps (name, timestamp) VALUES ('9999-later', '')`);
    database.close();
    const reason = refused(await runCommand(['backup', '--to', to], { DATA_DIR: place.path }));
    assert.match(reason, new RegExp(`schema version ${schemaVersion + 1}, .*run the newer program`));

    await rewriteManifest(file, to, (manifest) => ({ ...manifest, formatVersion: 2 }));
    assert.match(refused(await restore(to, { DATA_DIR: join(directory.path, 'newer') })), /It has format 2/);
  });

  it('refuses a target that has data, or that a service uses', async () => {
    assert.match(
      refused(await restore(file, { DATA_DIR: filled })),
      /filled is not empty: it has embedgate.db/,
    );
    const lost = join(directory.path, 'lost');
    await using service = await startService({ dataDir: lost });
    for (const name of readdirSync(lost)) if (name.startsWith('embedgate.db')) rmSync(join(lost, name));
    assert.match(refused(await restore(file, service.environment)), /cache.db is in use: stop the server/);
  });

  it('refuses a signing key that would not accept the keys in the backup', async () => {
    using other = temporaryDirectory();
    done(await runCommand(['orgs', 'create', '--name', 'other'], { DATA_DIR: other.path }));
    const SIGNING_KEY = join(other.path, 'signing-key.pem');
    const dataDir = join(directory.path, 'other-key');
    const reason = refused(await restore(file, { DATA_DIR: dataDir, SIGNING_KEY }));
    assert.match(reason, /^SIGNING_KEY did not sign 5 of the 5 active API keys, /);
    const AUTH_SECRET = 'b'.repeat(32);
    const { stderr } = await restore(file, { DATA_DIR: dataDir, AUTH_SECRET });
    assert.match(stderr, /^AUTH_SECRET differs from the one that the backup was made with/);
  });

  it('to a full disk says so, and leaves nothing behind', async (t) => {
    using disk = smallDisk(1);
    if (!disk) return t.skip('this process may not mount a file system');
    writeFileSync(join(disk.path, 'others'), Buffer.alloc(900_000));
    const to = join(disk.path, 'backup.tar.gz');
    const message = refused(await runCommand(['backup', '--to', to], { DATA_DIR: filled }));
    assert.ok(message.startsWith(`There is no room for ${to}: `), message);
    assert.deepEqual(readdirSync(disk.path), ['others']);
  });

  it('names pg_dump and the move where DATABASE_URL is set', async () => {
    const environment = {
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      SIGNING_KEY: '/none',
      AUTH_SECRET: 'a'.repeat(32),
    };
    const to = join(directory.path, 'postgres.tar.gz');
    assert.match(refused(await runCommand(['backup', '--to', to], environment)), /with pg_dump/);
    assert.match(refused(await restore(file, environment)), /then move it with "embedgate migrate --from"/);
    assert.equal(existsSync(to), false);
  });

  it('can be run again into a directory after it was killed while unpacking or with the secrets in place', async () => {
    const dataDir = join(directory.path, 'killed');
    // Again from the beginning if it ended before the signal arrived.
    const isRestored = () => readdirSync(dataDir).includes('embedgate.db');
    do {
      rmSync(dataDir, { recursive: true, force: true });
      const running = spawnEmbedgate(['restore', '--from', file], { DATA_DIR: dataDir });
      await eventually(() => existsSync(dataDir), { everyMs: 1 });
      running.kill('SIGKILL');
      await running.exited;
    } while (isRestored());
    for (const name of ['auth-secret', 'signing-key.pem']) {
      writeFileSync(join(dataDir, name), readFileSync(join(filled, name)), { mode: 0o600 });
    }
    done(await restore(file, { DATA_DIR: dataDir }));
    await using _service = await startService({ dataDir });
    assert.deepEqual(backedUpRows(dataDir), backedUpRows(filled));

    const foreign = join(directory.path, 'foreign');
    done(await runCommand(['orgs', 'create', '--name', 'other'], { DATA_DIR: foreign }));
    for (const name of readdirSync(foreign)) {
      if (name !== 'signing-key.pem') rmSync(join(foreign, name));
    }
    assert.match(
      refused(await restore(file, { DATA_DIR: foreign })),
      /signing-key.pem differs from the one in the backup/,
    );
  });
});
