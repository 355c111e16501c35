import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Unigram } from '../../../../src/embeddings/engines/onnx/unigram.ts';
import { encoded } from '../../../helpers/encoded.ts';

const pieces: [string, number][] = [
  ['?', 0],
  ['▁', -2],
  ['a', -3],
  ['b', -3],
  ['aa', -4],
  ['▁ab', -3],
];
const unigram = new Unigram({ pieces, unknownId: 0 });
const ids = (text: string) => encoded(unigram, text, 100).ids;

describe('Unigram', () => {
  it('takes the most probable pieces', () => {
    assert.deepEqual(ids('ab'), [5]);
    assert.deepEqual(ids('ba'), [1, 3, 2]);
    assert.deepEqual(ids('baa'), [1, 3, 4]);
  });

  it('marks the start and every space', () => {
    assert.deepEqual(ids(' ab  ab'), [1, 5, 1, 5]);
  });

  it('breaks a tie in favor of the shortest last piece', () => {
    assert.deepEqual(ids('aaa'), [1, 4, 2]);
  });

  it('makes consecutive unknown characters one token', () => {
    assert.deepEqual(ids('x😀ya😀'), [1, 0, 2, 0]);
  });

  it('normalizes to NFKC, and finds no token in an empty text', () => {
    assert.deepEqual(ids('ａ\u3000b'), [1, 2, 1, 3]);
    assert.deepEqual(ids(''), []);
  });

  it('keeps the first tokens and counts them all', () => {
    assert.deepEqual(encoded(unigram, 'aaaaaa', 2).ids, [1, 4]);
    assert.equal(encoded(unigram, 'aaaaaa', 2).fullTokenCount, 4);
  });

  it('accepts words of any length', () => {
    assert.equal(encoded(unigram, 'a'.repeat(1_000_000), 128).fullTokenCount, 500_001);
    assert.equal(encoded(unigram, '😀'.repeat(100_000), 128).fullTokenCount, 2);
    assert.equal(encoded(unigram, ' '.repeat(1_000_000), 128).fullTokenCount, 1_000_001);
  });

  it('refuses a vocabulary in which an unknown character could compete with a piece', () => {
    assert.throws(
      () => new Unigram({ pieces: [...pieces, ['ac', -1]], unknownId: 0 }),
      /the piece "ac" is not supported/,
    );
    assert.throws(() => new Unigram({ pieces: [...pieces, ['a▁', -1]], unknownId: 0 }), /not supported/);
  });
});
