import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directoryPieces } from '../../../src/files/directory-pieces.ts';
import { sealedPieces } from '../../../src/files/sealed-pieces.ts';
import { Disk } from '../../../src/lib/disk.ts';
import { piecesContract } from '../../contracts/pieces.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const open = () => {
  const { path } = untilEnd(temporaryDirectory());
  return directoryPieces(path, new Disk(path));
};

piecesContract('a directory', async () => ({ pieces: open() }));
piecesContract('a directory, encrypted', async () => ({ pieces: sealedPieces(open(), Buffer.alloc(32, 1)) }));

test('a piece that was encrypted with another key is gone', async () => {
  const store = open();
  await sealedPieces(store, Buffer.alloc(32, 1)).put('piece', Buffer.from('content'));
  assert.equal(await sealedPieces(store, Buffer.alloc(32, 2)).get('piece'), undefined);
});
