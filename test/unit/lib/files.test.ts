import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { writeFileAtomically } from '../../../src/lib/files.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';

describe('writing a file atomically', () => {
  for (const overwrite of [false, true]) {
    it(`leaves nothing behind when it fails, with overwrite ${overwrite}`, () => {
      using directory = temporaryDirectory();
      const write = () =>
        writeFileAtomically(
          join(directory.path, 'secret'),
          () => {
            throw new Error('no content');
          },
          { mode: 0o600, overwrite },
        );
      assert.throws(write, /no content/);
      assert.deepEqual(readdirSync(directory.path), []);
    });
  }

  it('keeps an existing file unless it may overwrite it', () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'file');
    const write = (content: string, overwrite: boolean) => {
      writeFileAtomically(path, () => content, { mode: 0o600, overwrite });
      return readFileSync(path, 'utf8');
    };
    assert.equal(write('first', false), 'first');
    assert.equal(write('second', false), 'first');
    assert.equal(write('third', true), 'third');
    assert.deepEqual(readdirSync(directory.path), ['file']);
  });
});
