import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { cacheKeys } from '../../../src/embeddings/fingerprint.ts';

const secret = Buffer.alloc(32, 7);

const subject = fc.record(
  {
    secret: fc.constantFrom('one', 'two'),
    fingerprint: fc.constantFrom('model', 'model2', '2'),
    orgId: fc.constantFrom('org', 'orgdocument', 'o"rg', ''),
    cacheSecret: fc.constantFrom('1', 'a'),
    inputType: fc.constantFrom('query' as const, 'document' as const),
    truncate: fc.boolean(),
    text: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'org', 'true', 'truea', 'a')),
  },
  { noNullPrototype: true },
);
type Subject = typeof subject extends fc.Arbitrary<infer T> ? T : never;

const keyOf = ({ secret, fingerprint, inputType, truncate, text, ...owner }: Subject): string =>
  cacheKeys(Buffer.from(secret), fingerprint)(owner, inputType, truncate)(text);

const org = { orgId: 'org', cacheSecret: '1' };

describe('cache keys', () => {
  it('are 64 bytes', () => {
    const key = cacheKeys(secret, 'model')(org, 'query', true)('text');
    assert.equal(key.length, 64);
    assert.equal(Buffer.from(key, 'latin1').toString('latin1'), key);
  });

  it('are the same exactly when every part is', () => {
    fc.assert(
      fc.property(subject, subject, (a, b) => {
        assert.equal(keyOf(a) === keyOf(b), isDeepStrictEqual(a, b));
      }),
    );
  });

  it('differ by prompt and cut in one function, whatever the names of prompts are', () => {
    const keys = cacheKeys(secret, 'model');
    const types = ['query', 'query whole', 'true query', 'false query'];
    const made = types.flatMap((type) => [true, false].map((truncate) => keys(org, type, truncate)('text')));
    assert.equal(new Set(made).size, 2 * types.length);
  });

  it('differ with each single part', () => {
    const base: Subject = {
      secret: 'one',
      fingerprint: 'model',
      orgId: 'org',
      cacheSecret: '1',
      inputType: 'query',
      truncate: true,
      text: 'a',
    };
    const others: Subject[] = [
      { ...base, secret: 'two' },
      { ...base, fingerprint: 'model2' },
      { ...base, orgId: '' },
      { ...base, cacheSecret: 'a' },
      { ...base, inputType: 'document' },
      { ...base, truncate: false },
      { ...base, text: 'b' },
    ];
    assert.equal(new Set([base, ...others].map(keyOf)).size, 8);
  });

  it('stay the same from one use to the next, and from one start to the next', () => {
    const keys = cacheKeys(secret, 'model');
    const first = keys(org, 'query', true)('text');
    assert.equal(keys(org, 'query', true)('text'), first);
    assert.equal(cacheKeys(secret, 'model')(org, 'query', true)('text'), first);
  });
});
