import assert from 'node:assert/strict';
import { chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readConfig } from '../../../src/config/config.ts';
import { ServiceError } from '../../../src/errors.ts';
import { Authenticator } from '../../../src/keys/authenticate.ts';
import { type KeyStore, Keys } from '../../../src/keys/keys.ts';
import { SigningRotation, type SigningRotationParts } from '../../../src/keys/signing-rotation.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { type Core, checkSecrets, openCore } from '../../../src/service/core.ts';
import { openLog } from '../../../src/service/log.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { newPem } from '../../helpers/replicas.ts';
import { secondConnection } from '../../helpers/second-connection.ts';

const quietly = () => {};

describe('the rotation of the signing key', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let core: Core;
  let opened: Core[];
  let orgIds: string[];
  let secrets: string[];

  beforeEach(async () => {
    directory = temporaryDirectory();
    opened = [];
    core = await open();
    orgIds = [];
    secrets = [];
    for (const name of ['first', 'second']) {
      const { orgId } = await core.organizations.create({ name, tier: 'free' });
      orgIds.push(orgId);
      secrets.push((await core.keys.create({ orgId, userId: 'ada', name })).secret);
    }
  });
  afterEach(async () => {
    for (const one of opened) await one.close();
    directory[Symbol.dispose]();
  });

  /** What another process on the same directory opens; closed after the test. */
  const open = async (options?: { mayReplaceKey: boolean }) => {
    const one = await openCore(readConfig({ DATA_DIR: directory.path }), systemClock, () => {}, options);
    opened.push(one);
    return one;
  };
  const keyFile = () => join(directory.path, 'signing-key.pem');
  const keysInFile = () => readFileSync(keyFile(), 'utf8').match(/BEGIN PRIVATE KEY/g)?.length;
  const rotationWith = (parts: Partial<SigningRotationParts>) =>
    new SigningRotation({ ...core, alone: (body) => body(), hasCopies: false, ...parts });
  const change = (sql: string) => {
    const database = secondConnection(directory.path);
    database.exec(sql);
    database.close();
  };

  /** Which of the keys a server that starts now would accept, if it starts even with a key that signed none. */
  async function accepted(): Promise<boolean[]> {
    const server = await open({ mayReplaceKey: true });
    const authenticator = new Authenticator({
      ...server,
      keys: server.stores.keys,
      watch: server.stores.watch,
    });
    const attempts = secrets.map(async (secret) => authenticator.authenticate(`Bearer ${secret}`));
    return (await Promise.allSettled(attempts)).map(({ status }) => status === 'fulfilled');
  }

  it('re-signs every token and keeps the old key until it is retired', async () => {
    const before = core.keyring.signing().kid;
    const found = await core.signingRotation.rotate(quietly);
    assert.deepEqual(found, { current: 0, older: 2, orphaned: 0, broken: 0, newer: 0 });
    assert.notDeepEqual(core.keyring.signing().kid, before);
    assert.equal(keysInFile(), 2);
    assert.equal(await core.signingRotation.retire(quietly), 1);
    assert.equal(keysInFile(), 1);
    assert.deepEqual(await accepted(), [true, true]);
  });

  it('reports its progress', async () => {
    const steps: number[][] = [];
    await core.signingRotation.rotate((done, total) => steps.push([done, total]));
    assert.deepEqual(steps, [
      [0, 2],
      [1, 2],
      [2, 2],
    ]);
  });

  it('can be interrupted between two organizations without harm, and reissue finishes it', async () => {
    const [first, second] = orgIds as [string, string];
    const data = [{ orgId: first }, { orgId: 'org_missing' }, { orgId: second }];
    const list = async () => ({ data, next: null, total: 3 });
    await assert.rejects(rotationWith({ organizations: { list } }).rotate(quietly), /org_missing/);
    assert.deepEqual(await accepted(), [true, true]);

    await assert.rejects(core.signingRotation.retire(quietly), {
      code: 'invalid_request',
      message: '1 of the API keys still need an older signing key: run "embedgate signing-key reissue" first',
    });
    assert.equal(keysInFile(), 2);

    const found = await core.signingRotation.reissue(quietly);
    assert.deepEqual([found.current, found.older], [1, 1]);
    await core.signingRotation.retire(quietly);
    assert.deepEqual(await accepted(), [true, true]);
  });

  it('can be interrupted before the first token without harm, and the next rotation finishes it', async () => {
    const list = () => Promise.reject(new Error('interrupted'));
    await assert.rejects(rotationWith({ organizations: { list } }).rotate(quietly), /interrupted/);
    assert.deepEqual(await accepted(), [true, true]);
    await core.signingRotation.rotate(quietly);
    assert.equal(keysInFile(), 3);
    assert.equal(await core.signingRotation.retire(quietly), 2);
    assert.deepEqual(await accepted(), [true, true]);
  });

  it('is refused while another process runs it', async () => {
    const other = await open();
    const inside = Promise.withResolvers<void>();
    const rotating = core.signingRotation.rotate(() => inside.resolve());
    await inside.promise;
    const attempts = await Promise.allSettled([
      other.signingRotation.rotate(quietly),
      other.signingRotation.retire(quietly),
      other.signingRotation.reissue(quietly),
    ]);
    await rotating;
    for (const attempt of attempts) {
      assert.equal(attempt.status, 'rejected');
      assert.ok(attempt.reason instanceof ServiceError && attempt.reason.code === 'unavailable');
    }
    await other.signingRotation.rotate(quietly);
  });

  it('leaves no token of the old key, not even one of an API key that was being created meanwhile', async () => {
    const { orgId } = await core.organizations.create({ name: 'empty', tier: 'free' });
    const signed = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const slow: KeyStore = {
      ...core.stores.keys,
      async change(...args) {
        signed.resolve();
        await goOn.promise;
        return core.stores.keys.change(...args);
      },
    };
    const creating = new Keys(slow, core.keyring, systemClock).create({
      orgId,
      userId: 'ada',
      name: 'meanwhile',
    });
    await signed.promise;
    await core.signingRotation.rotate(quietly);
    goOn.resolve();
    secrets.push((await creating).secret);
    assert.equal(await core.signingRotation.retire(quietly), 1);
    assert.deepEqual(await accepted(), [true, true, true]);
  });

  it('does not disturb a server that has not noticed it yet', async () => {
    const server = await open();
    await core.signingRotation.rotate(quietly);
    const authenticator = new Authenticator({
      ...server,
      keys: server.stores.keys,
      watch: { current: () => true, onChange: () => {} },
    });
    const caller = await authenticator.authenticate(`Bearer ${secrets[0]}`);
    assert.equal(caller.orgId, orgIds[0]);
  });

  it('makes no modified row valid', async () => {
    change(`UPDATE organizations SET tier = 'enterprise' WHERE org_id = '${orgIds[0]}'`);
    assert.deepEqual(await accepted(), [false, true]);
    assert.equal((await core.signingRotation.rotate(quietly)).broken, 1);
    assert.equal((await core.signingRotation.reissue(quietly)).broken, 1);
    await core.signingRotation.retire(quietly);
    assert.deepEqual(await accepted(), [false, true]);
  });

  it('leaves tokens of a lost key, which only a reissue that trusts the database re-signs', async () => {
    const lost = readFileSync(keyFile(), 'utf8');
    await core.signingRotation.rotate(quietly);
    await core.signingRotation.retire(quietly);
    const kept = readFileSync(keyFile(), 'utf8');
    writeFileSync(keyFile(), lost);
    core = await open({ mayReplaceKey: true });
    assert.deepEqual(await accepted(), [false, false]);
    assert.equal((await core.signingRotation.rotate(quietly)).orphaned, 2);
    assert.deepEqual(await accepted(), [false, false]);
    assert.equal((await core.signingRotation.reissue(quietly)).orphaned, 2);
    assert.deepEqual(await accepted(), [false, false]);
    await core.signingRotation.reissue(quietly, { trustsDatabase: true });
    assert.deepEqual(await accepted(), [true, true]);
    assert.ok(!readFileSync(keyFile(), 'utf8').includes(kept));
  });

  it('left unfinished is named with the keys that it cost, and a file with another key is not taken', async () => {
    const written: string[] = [];
    const log = openLog('warn', { isTTY: true, write: (line: string) => written.push(line) > 0 });
    const lines = async () => {
      await checkSecrets(core, log);
      return written.splice(0).join('');
    };
    assert.match(await lines(), /^\S+ warn: a secret was lost .*auth-secret in DATA_DIR is missing.*\n$/);
    writeFileSync(join(directory.path, 'auth-secret'), 'x'.repeat(32));
    assert.equal(await lines(), '');
    const older = readFileSync(keyFile(), 'utf8');
    const newer = newPem();
    writeFileSync(keyFile(), newer);
    assert.match(await lines(), /^\S+ warn: a secret was .* the one that it has \(.*has another key\)\n$/);
    assert.equal(core.keyring.find(core.keyring.signing().kid), core.keyring.signing());

    writeFileSync(keyFile(), `${newer}${older}`);
    assert.equal(await lines(), '');
    await core.keys.create({ orgId: orgIds[0]!, userId: 'ada', name: 'third' });
    writeFileSync(keyFile(), newer);
    core = await open();
    assert.match(await lines(), /^\S+ warn: 2 of 3 API keys get 401.*signing-key reissue.*\n$/);

    // A database that can't be reached says nothing about secrets.
    await opened.pop()!.close();
    await assert.rejects(lines());
    assert.deepEqual(written, []);
  });

  it('is refused where replicas may have copies of the key file, which the operator has to replace', async () => {
    const replicated = rotationWith({ hasCopies: true });
    const before = readFileSync(keyFile(), 'utf8');
    for (const change of [() => replicated.rotate(quietly), () => replicated.retire(quietly)]) {
      await assert.rejects(change(), {
        code: 'invalid_request',
        message: /every replica.*signing-key reissue/,
      });
    }
    assert.equal(readFileSync(keyFile(), 'utf8'), before);
    assert.equal((await replicated.reissue(quietly)).current, 2);
  });

  it('keeps the mode of the file and, when root runs it, the owner', {
    skip: process.getuid?.() !== 0,
  }, async () => {
    chownSync(keyFile(), 12_345, 12_346);
    await core.signingRotation.rotate(quietly);
    const { uid, gid, mode } = statSync(keyFile());
    assert.deepEqual([uid, gid, mode & 0o777], [12_345, 12_346, 0o600]);
  });
});
