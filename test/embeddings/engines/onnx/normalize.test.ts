import assert from 'node:assert/strict';
import { it } from 'node:test';
import { normalizedParts } from '../../../../src/embeddings/engines/onnx/normalize.ts';

const normalized = (text: string): string => [...normalizedParts(text)].join('');

it('the normalization is NFKC except for the longest runs of marks', () => {
  for (const text of ['', 'ﬁ Å e\u0301 ㍍ ｶﾞ', `a${'\u0301\u0316'.repeat(127)}b`, '한국어'.normalize('NFD')]) {
    assert.equal(normalized(text), text.normalize('NFKC'));
  }
});

it('a text is cut only where normalization does not reach across, whatever stands there', () => {
  const joined = [
    'e\u0301',
    '\u1100\u1161\u11a8',
    'ｶﾞ',
    'ﾡￂ',
    'ㄱㅏ',
    '😀',
    '\u0344',
    '\u09c7\u09be',
    '\u1d15e',
    '﷽',
  ];
  // Each shift puts a different part of these on the borders between parts.
  for (let shift = 0; shift < 24; shift++) {
    const text = 'x'.repeat(shift) + joined.join('').repeat(900);
    assert.equal(normalized(text), text.normalize('NFKC'), `shifted by ${shift}`);
  }
});

it('runs of marks, on which the Unicode library would take minutes, take bounded work', () => {
  const million = 1_000_000;
  assert.equal(normalized(`b${'\u0301\u0316'.repeat(million / 2)}`).length, 1 + million);
  assert.equal(normalized('\uff9e\u0316'.repeat(million / 2)).length, million);
});
