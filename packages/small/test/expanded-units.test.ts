import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandedUnits } from '../src/expanded-units.ts';

test('long ligatures count as their letters, and all other characters as their UTF-16 units', () => {
  assert.equal(expandedUnits(''), 0);
  assert.equal(expandedUnits('a é 漢 👍'), 8);
  assert.equal(expandedUnits('ﷺ㌖'), 18 + 'ﷺ㌖'.slice(1).normalize('NFKD').length);
});

test('no other character is decomposed into more than four times its UTF-16 units', () => {
  for (let code = 0; code <= 0x10_ffff; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    const { length } = character.normalize('NFKD');
    const isShort = length <= 4 * character.length;
    assert.ok(isShort || expandedUnits(character) === length, `U+${code.toString(16)}`);
  }
});
