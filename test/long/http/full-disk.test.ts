import assert from 'node:assert/strict';
import { appendFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { codeOf, messageOf } from '../../../src/errors.ts';
import { listeningApp } from '../../helpers/app.ts';
import { batchClient, jsonl, line } from '../../helpers/batch-client.ts';
import { Browser } from '../../helpers/browser.ts';
import { stoppedClock } from '../../helpers/clock.ts';
import { embedgate } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { smallDisk } from '../../helpers/mounts.ts';
import { secondConnection } from '../../helpers/second-connection.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const disk = smallDisk(160);
const skip = !disk && 'this process may not mount a file system';
const { path } = untilEnd(disk ?? { path: '', [Symbol.dispose]() {} });

describe('on a small disk', { skip }, async () => {
  const clock = stoppedClock();
  const app = untilEnd(await listeningApp({ clock, environment: { DATA_DIR: path, LOG_LEVEL: 'silent' } }));
  const { organizations, keys } = app.services;
  const page = await new Browser(app.address).signIn(app.administrator);
  const newClient = async (name: string) => {
    const { orgId } = await organizations.create({ name, tier: 'enterprise' });
    const { secret } = await keys.create({ orgId, userId: 'u', name: 'k' });
    return { orgId, ...batchClient({ address: app.address, key: secret }) };
  };
  const [greedy, other] = [await newClient('Greedy'), await newClient('Other')];
  const embed = async (input: string) => (await other.send('POST', '/embeddings', { input })).status;
  const readiness = async () => {
    const response = await fetch(`${app.address}/ready`);
    const { not_ready: parts } = (await response.json()) as { not_ready: string[] };
    return [response.status, parts] as const;
  };
  let texts = 0;
  const newText = (): string => `text ${texts++}`;
  const createKey = () =>
    page.send('POST', `/v1/organizations/${other.orgId}/keys`, { name: `key ${texts++}` });
  const revoke = async (keyId: string) =>
    (await page.send('POST', `/v1/organizations/${other.orgId}/keys/${keyId}/revoke`)).status;
  const keyId = async (): Promise<string> =>
    ((await (await createKey()).json()) as { key_id: string }).key_id;
  const fileId = async (): Promise<string> => (await other.upload('x')).json.id;
  const deleted = async (id: string) => (await other.send('DELETE', `/files/${id}`)).status;
  const refused = async () => {
    const { status, json, headers } = await other.upload('x');
    assert.deepEqual([status, json.error, headers.get('retry-after')], [503, 'unavailable', '60']);
    assert.match(json.message, /disk .* full/);
  };
  const serves = async () => {
    assert.deepEqual([await embed('known'), await embed(newText())], [200, 200]);
    assert.equal((await createKey()).status, 201);
  };
  /** Takes the rest of the disk. Returns what gives it back. */
  const fill = () => {
    const file = join(path, 'foreign');
    const until = (bytes: number) => {
      try {
        for (;;) appendFileSync(file, Buffer.alloc(bytes));
      } catch (reason) {
        assert.equal(codeOf(reason), 'ENOSPC');
      }
    };
    for (const bytes of [1 << 20, 4_096, 1]) until(bytes);
    return () => rmSync(file);
  };

  it('an organization that fills it can upload no more, its batches wait, and all others are served', async () => {
    await embed('known');
    const [file, key] = [await fileId(), await keyId()];
    const input = (await other.upload(jsonl([line('1', { input: 'a' }), line('2', { input: 'b' })]))).json.id;
    const filled: string[] = [];
    for (const bytes of [8 << 20, 1 << 20]) {
      for (;;) {
        const { status, json } = await greedy.upload(Buffer.alloc(bytes, 'x'));
        if (status !== 200) break;
        filled.push(json.id);
      }
    }
    await refused();
    const { json: batch } = await other.send('POST', '/batches', {
      input_file_id: input,
      endpoint: '/v1/embeddings',
    });
    const now = async () => (await other.send('GET', `/batches/${batch.id}`)).json;
    await eventually(async () => (await now()).waits_for !== null);
    await serves();
    assert.deepEqual([await revoke(key), await deleted(file)], [200, 200]);
    assert.deepEqual(await readiness(), [200, []]);

    for (const id of filled) assert.equal((await greedy.send('DELETE', `/files/${id}`)).status, 200);
    await eventually(async () => {
      clock.advance(20_000);
      return (await now()).status === 'completed';
    });
    const rows = await other.content((await now()).output_file_id);
    assert.deepEqual(rows.map(({ custom_id: id }) => id).sort(), ['1', '2']);
    assert.equal((await other.upload('x')).status, 200);
  });

  it('a foreign file that takes all of it stops what is optional, and nothing needs help when it is gone', async () => {
    await embed('known');
    const [file, key] = [await fileId(), await keyId()];
    const free = fill();
    const { cacheStats, recorder } = app.services;
    const dropped = () => [cacheStats().droppedWrites, recorder.dropped] as const;
    const before = dropped();
    await refused();
    await serves();
    assert.deepEqual([await revoke(key), await deleted(file)], [200, 200]);
    await eventually(() => dropped().every((count, i) => count > before[i]!));
    assert.deepEqual(await readiness(), [503, ['disk']]);
    const { data } = await page.ask<{ data: { name: string; value: unknown }[] }>(200, 'GET', '/v1/service');
    assert.equal(data.find(({ name }) => name === 'not_ready')?.value, 'disk');
    free();
    await serves();
    assert.equal((await other.upload('x')).status, 200);
    assert.deepEqual(await readiness(), [200, []]);
  });

  it('what the database has no room for is 503, and is done when there is room', async () => {
    await embed('known');
    const [file, key] = [await fileId(), await keyId()];
    const free = fill();
    const database = secondConnection(path);
    database.exec('CREATE TABLE spare_no_more (bytes)');
    for (const bytes of [1 << 20, 1]) {
      assert.throws(
        () => {
          for (;;) database.exec(`INSERT INTO spare_no_more VALUES (zeroblob(${bytes}))`);
        },
        (reason) => messageOf(reason) === 'database or disk is full',
      );
    }
    const { email, password } = app.administrator;
    const attempts = [
      async () => (await createKey()).status,
      () => revoke(key),
      () => deleted(file),
      () => embed(newText()),
      async () => (await page.send('POST', '/v1/auth/sign-in', { email, password })).status,
    ];
    for (const attempt of attempts) assert.equal(await attempt(), 503);
    assert.equal(await embed('known'), 200);
    assert.ok((await readiness())[1].includes('disk'));
    free();
    await serves();
    assert.deepEqual([await revoke(key), await deleted(file)], [200, 200]);
    database.exec('DROP TABLE spare_no_more');
    database.close();
  });
});

describe('a start on a disk that is nearly full', { skip }, () => {
  it('ends with one line', async () => {
    using small = smallDisk(24)!;
    const dataDir = join(small.path, 'data');
    await using service = await startService({ dataDir });
    await service.stop();
    const { bavail, bsize } = statfsSync(small.path);
    writeFileSync(join(small.path, 'foreign'), Buffer.alloc(bavail * bsize - 200_000));
    const { code, stderr } = await embedgate(['serve'], { DATA_DIR: dataDir, PORT: '0' });
    assert.equal(code, 1);
    assert.match(stderr, /^embedgate: The data in .* can't be opened: .*\n$/);
  });
});
