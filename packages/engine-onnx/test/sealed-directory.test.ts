import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { tryProcessLock } from '../../small/src/process-lock.ts';
import { isSealed, sealBuilt } from '../src/sealed-directory.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const files = new Map([
  ['deep/model', Buffer.from('weights')],
  ['config', Buffer.from('settings')],
]);

const build = async (path: string): Promise<void> => {
  await mkdir(join(path, 'deep'));
  for (const [name, bytes] of files) await writeFile(join(path, name), bytes);
};

describe('a sealed directory', () => {
  let directory: string;

  beforeEach(async () => {
    directory = join(await temporaryDirectory(), 'models', 'one');
    await sealBuilt(directory, build);
  });

  const assertWhole = async () => {
    assert.equal(await isSealed(directory), true);
    for (const [path, bytes] of files) assert.deepEqual(await readFile(join(directory, path)), bytes);
    assert.deepEqual(await readdir(dirname(directory)), ['one']);
  };

  it('holds the files, and nothing is left beside it', assertWhole);

  const damages: Record<string, () => Promise<unknown>> = {
    'a file is missing': () => rm(join(directory, 'config')),
    'a file was cut': () => truncate(join(directory, 'deep/model'), 3),
    'a file was changed': () => writeFile(join(directory, 'deep/model'), 'weighTs'),
    'a file has grown': () => appendFile(join(directory, 'config'), ' '),
    'the manifest is missing': () => rm(join(directory, 'SHA256SUMS')),
    'the manifest is empty': () => truncate(join(directory, 'SHA256SUMS')),
    'the manifest was cut': () => truncate(join(directory, 'SHA256SUMS'), 100),
    'it is empty': async () => {
      await rm(directory, { recursive: true });
      await mkdir(directory);
    },
  };
  for (const [name, damage] of Object.entries(damages)) {
    it(`is treated as incomplete and replaced when ${name}`, async () => {
      await damage();
      assert.equal(await isSealed(directory), false);
      await sealBuilt(directory, build);
      await assertWhole();
    });
  }

  it('is absent until a process has finished it', async () => {
    assert.equal(await isSealed(join(dirname(directory), 'two')), false);
  });

  it('is written by one of many processes at once', async () => {
    await rm(directory, { recursive: true });
    await Promise.all(Array.from({ length: 8 }, () => sealBuilt(directory, build)));
    await assertWhole();
  });

  it('survives when many processes replace a damaged one at once', async () => {
    await truncate(join(directory, 'config'), 1);
    await Promise.all(Array.from({ length: 8 }, () => sealBuilt(directory, build)));
    await assertWhole();
  });

  it('leaves what another process is writing, however long that takes, and removes what one has left', async () => {
    const parent = dirname(directory);
    const [running, left, recent] = ['running', 'left', 'recent'].map((name) =>
      join(parent, `.unfinished-one-${name}`),
    );
    for (const path of [running, left, recent]) await mkdir(path!);
    using _lock = tryProcessLock(join(running!, 'lock'));
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const path of [running, left]) await utimes(path!, longAgo, longAgo);
    await sealBuilt(directory, build);
    assert.deepEqual((await readdir(parent)).toSorted(), [
      '.unfinished-one-recent',
      '.unfinished-one-running',
      'one',
    ]);
  });
});
