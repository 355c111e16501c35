import assert from 'node:assert/strict';
import { it } from 'node:test';
import { normalizeNfkc } from '../../../../src/embeddings/engines/onnx/normalize.ts';

it('is NFKC for all but the longest runs of marks', () => {
  for (const text of ['', 'ﬁ Å e\u0301 ㍍ ｶﾞ', `a${'\u0301\u0316'.repeat(127)}b`, '한국어'.normalize('NFD')]) {
    assert.equal(normalizeNfkc(text), text.normalize('NFKC'));
  }
});

it('bounds the work on runs of marks, of which the Unicode library would make minutes', () => {
  const million = 1_000_000;
  assert.equal(normalizeNfkc(`b${'\u0301\u0316'.repeat(million / 2)}`).length, 1 + million);
  assert.equal(normalizeNfkc('\uff9e\u0316'.repeat(million / 2)).length, million);
});
