import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validName } from '../../../src/keys/key.ts';

test('a name has visible characters, and no invisible ones that make it look like another', () => {
  for (const name of ['Ada', '東京', 'می‌خواهم', '👩‍👩‍👧', '!', 'a b'])
    assert.equal(validName(` ${name} `), name);
  const invalid = [
    '',
    ' ',
    '\u202eevil',
    '\u200b\u200b',
    '\u200d',
    'a\u2066b',
    'a\u2028b',
    'a\u0000b',
    'a\ufeffb',
    'x'.repeat(201),
  ];
  for (const name of invalid)
    assert.throws(() => validName(name), { code: 'invalid_request', param: 'name' });
});
