import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { temporaryDirectory } from '../../../test/helpers/directory.ts';
import { writeFileAtomically } from '../src/files.ts';
import { usableCores, usableMemoryBytes } from '../src/machine.ts';

// The limits of a control group are tested only where the tests run in one; elsewhere, the whole machine counts.
test('the figures never exceed the machine, and have at least one core', () => {
  assert.ok(Number.isInteger(usableCores()) && usableCores() >= 1);
  assert.ok(usableCores() <= availableParallelism());
  assert.ok(usableMemoryBytes() > 0 && usableMemoryBytes() <= totalmem());
});

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
