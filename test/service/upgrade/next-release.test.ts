import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { embedgate, embedgateJson } from '../../helpers/embedgate.ts';
import { addsColumn, nextRelease } from '../../helpers/next-release.ts';
import { openPostgres } from '../../helpers/postgres.ts';
import { statusWith } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';

describe('a later release on the data of this one', async () => {
  const later = untilEnd(
    nextRelease('1.1.0', {
      'src/database/migrations/steps/0002-1.0-note.ts': addsColumn('api_keys'),
      // A restriction that this release doesn't know.
      'src/keys/cwt.ts': (text) =>
        text
          .replace('tokenFormat = 1', 'tokenFormat = 2')
          .replace("['format', tokenFormat]", "['format', claims.scope === 'read' ? 2 : 1]"),
    }),
  );
  const postgres = untilEnd(await openPostgres());
  const first = untilEnd(await startService());
  const { dataDir, key } = first;
  assert.equal(await statusWith(first.address, key), 200);
  await first.stop();

  test('changes nothing if it can’t start: this release starts again', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const port = String((taken.address() as AddressInfo).port);
    for (const environment of [{ PORT: port }, { EMBEDDING_MODEL: '/nowhere' }]) {
      const { code, stderr } = await embedgate(
        ['serve'],
        { PORT: '0', DATA_DIR: dataDir, ...environment },
        later.program,
      );
      assert.equal(code, 1, stderr);
    }
    taken.close();
    await using again = await startService({ dataDir });
    assert.equal(await statusWith(again.address, key), 200);
  });

  test('moves nothing to a database that it can’t reach, and changes nothing', async () => {
    const path = join(dataDir, 'embedgate.db');
    const target = 'postgres://nobody@127.0.0.1:1/none';
    const { code, stderr } = await embedgate(
      ['migrate', '--from', `sqlite:${path}`, '--to', target],
      {},
      later.program,
    );
    assert.equal(code, 1, stderr);
    using database = new DatabaseSync(path, { readOnly: true });
    assert.equal(database.prepare('SELECT name FROM schema_steps').all().length, 1);
  });

  test('notices that a model has another fingerprint than before', async () => {
    using database = new DatabaseSync(join(dataDir, 'embedgate.db'));
    const noted = () =>
      String(database.prepare('SELECT model_fingerprints FROM installation').get()!.model_fingerprints);
    const [[name, fingerprint] = ['', '']] = Object.entries(JSON.parse(noted()));
    database.exec(`UPDATE installation SET model_fingerprints = '{"${name}": "another"}'`);
    for (const expected of [1, 0]) {
      await using service = await startService({ dataDir });
      const warnings = service.stderr() + service.stdout();
      assert.equal(warnings.match(/has another fingerprint than before/g)?.length ?? 0, expected, warnings);
      if (expected)
        assert.ok(warnings.includes('another') && warnings.includes(String(fingerprint)), warnings);
    }
    assert.deepEqual(JSON.parse(noted()), { [name]: fingerprint });
  });

  const usage = async (address: string, bearer: string): Promise<number> =>
    (await fetch(`${address}/v1/usage`, { headers: { authorization: `Bearer ${bearer}` } })).status;

  test('can be taken back if its steps say so, and what it has restricted stays restricted', async () => {
    const environment = { DATA_DIR: dataDir };
    const args = [
      'keys',
      'create',
      '--org-id',
      first.orgId,
      '--user-id',
      'u',
      '--name',
      'k',
      '--scope',
      'read',
    ];
    const serve = async (program: string | undefined, expected: [embed: number, read: number]) => {
      await using service = await startService({ dataDir, ...(program !== undefined && { program }) });
      assert.deepEqual(
        [await statusWith(service.address, key), await usage(service.address, restricted)],
        expected,
      );
    };
    await embedgate(['migrate'], environment, later.program);
    const { key: restricted } = await embedgateJson<{ key: string }>(args, environment, later.program);
    await serve(later.program, [200, 200]);
    await serve(undefined, [200, 401]);
    // What the later release has added can be backed up and restored, but a move would leave it out.
    const [file, elsewhere] = [join(dataDir, 'backup.tar.gz'), join(dataDir, 'restored')];
    for (const args of [
      ['backup', '--to', file],
      ['restore', '--from', file],
    ]) {
      const { code, stderr } = await embedgate(args, {
        DATA_DIR: args[0] === 'backup' ? dataDir : elsewhere,
      });
      assert.equal(code, 0, stderr);
    }
    const from = `sqlite:${join(elsewhere, 'embedgate.db')}`;
    const moved = await embedgate(['migrate', '--from', from, '--to', await postgres.createDatabase()]);
    assert.equal(moved.code, 1);
    assert.match(moved.stderr, /a newer release has brought its schema up to date: move it with that one/);
    // Signing the tokens again would lose the restriction.
    const { code, stderr } = await embedgate(
      ['orgs', 'set-tier', '--org-id', first.orgId, '--tier', 'pro'],
      environment,
    );
    assert.equal(code, 1);
    assert.match(stderr, /A newer release has restricted a key in a way that this one does not know/);
    await serve(later.program, [200, 200]);
  });
});
