import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RawLine, readLines } from '../../../src/batches/read-lines.ts';
import type { InTurn } from '../../../src/lib/fair-turns.ts';
import { inTurn } from '../../helpers/turns.ts';

test('lines are read in turns of the event loop, wherever the pieces of the file end', async () => {
  let turns = 0;
  const short: InTurn = (work) => {
    turns += 1;
    return inTurn(() => work(() => true));
  };
  async function* pieces() {
    for (const piece of ['one\n\ntw', 'o', '\n  \nthree']) yield Buffer.from(piece);
  }
  const read = ({ bytes, end, number }: RawLine) => [String(bytes), end, number];
  const signal = new AbortController().signal;
  const lines = readLines(pieces(), { start: 100, maxBytes: 1_000, signal, inTurn: short, read });
  assert.deepEqual(await Array.fromAsync(lines), [
    ['one', 104, 1],
    ['two', 109, 3],
    ['three', 117, 5],
  ]);
  // One for each end of a line and of a piece, and for the last line.
  assert.equal(turns, 8);
});
