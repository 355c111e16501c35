import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { createTokenizer } from '../../../../src/embeddings/engines/onnx/tokenizer.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { encoded } from '../../../helpers/encoded.ts';
import { tokenizerJsons } from '../../../helpers/models/tokenizer-jsons.ts';

// test/tokenizers/record.py made the file. `npm run test:tokenizers` compares with the reference itself.
const file = new URL('recorded-tokens.json', import.meta.url);
const { texts, recorded }: Recorded = JSON.parse(readFileSync(file, 'utf8'));

interface Recorded {
  readonly texts: readonly string[];
  readonly recorded: readonly { name: string; tokenizer: JsonObject; ids: readonly number[][] }[];
}

const room = 1_000_000;
const oddities = [
  ...[
    'ab',
    'a',
    ' ',
    '  ',
    '\n',
    'ﬁ',
    'e\u0301',
    '\u0301\u0316',
    'ｶﾞ',
    '漢',
    '한',
    '\u1100\u1161',
    '▁',
    '😀',
    '👩‍👩‍👧',
  ],
  ...[
    '[CLS]',
    '<s>',
    '<mask>',
    '<|end|>',
    'Σ',
    'İ',
    '\ufdfa',
    '\u200b',
    '\0',
    '\ud800',
    '12',
    "'s",
    '!?',
    'Ａ',
    '½',
    'aaaa',
  ],
];
const oddText = fc.array(fc.constantFrom(...oddities), { maxLength: 40 }).map((parts) => parts.join(''));
const admitted: Record<string, JsonObject> = {
  ...tokenizerJsons,
  ...Object.fromEntries(recorded.map(({ name, tokenizer }) => [`recorded ${name}`, tokenizer])),
};

describe('the ids of the reference', () => {
  for (const { name, tokenizer: json, ids } of recorded) {
    it(`are those of ${name}, the first time and again`, () => {
      const tokenizer = createTokenizer(json);
      for (const _ of ['cold', 'warm']) {
        for (const [i, text] of texts.entries()) {
          assert.deepEqual(encoded(tokenizer, text, room).ids, ids[i], JSON.stringify(text));
        }
      }
    });
  }
});

describe('any text', () => {
  for (const [name, json] of Object.entries(admitted)) {
    const tokenizer = createTokenizer(json);
    const frame = encoded(tokenizer, '', room).ids.length;

    it(`has its first ids kept and all counted when it is cut by ${name}`, () => {
      fc.assert(
        fc.property(oddText, fc.integer({ min: 4, max: 20 }), (text, limit) => {
          const whole = encoded(tokenizer, text, room);
          const cut = encoded(tokenizer, text, limit);
          assert.equal(whole.fullTokenCount, whole.ids.length);
          assert.equal(cut.fullTokenCount, whole.fullTokenCount);
          // Some special tokens may stand behind the text.
          const kept = Array.from({ length: frame + 1 }, (_, behind) => [
            ...whole.ids.slice(0, Math.min(limit, whole.ids.length) - behind),
            ...whole.ids.slice(whole.ids.length - behind),
          ]);
          assert.ok(kept.some((ids) => isDeepStrictEqual(ids, cut.ids)));
        }),
        { numRuns: 60 },
      );
    });

    it(`gets the same ids from ${name} alone and beside another text`, () => {
      fc.assert(
        fc.property(oddText, oddText, (one, other) => {
          const alone = [one, other].map((text) => encoded(tokenizer, text, room).ids);
          const steps = [one, other].map((text) =>
            tokenizer.encode(text, { maxTokens: room, maxCounted: room }),
          );
          const ended = steps.map((): number[] | undefined => undefined);
          while (ended.includes(undefined)) {
            for (const [i, step] of steps.entries()) {
              const result = step.next();
              if (result.done && result.value) ended[i] = result.value.ids;
            }
          }
          assert.deepEqual(ended, alone);
        }),
        { numRuns: 30 },
      );
    });
  }
});

describe('a tokenizer that cannot be reproduced exactly is refused by name', () => {
  const base = recorded.find(({ name }) => name === 'Unigram')!.tokenizer;
  const bytePairs: JsonObject = tokenizerJsons.BPE;
  const token = (fields: object) => [{ id: 21, content: 'x', special: true, ...fields }];
  const split = (pattern: string) => ({
    pre_tokenizer: { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false },
  });
  const cases: Record<string, readonly [JsonObject, RegExp]> = {
    'a charsmap that is cut': [
      { ...base, normalizer: { type: 'Precompiled', precompiled_charsmap: 'AAAB' } },
      /normalizer "Precompiled": "precompiled_charsmap" is malformed/,
    ],
    'an option that is not known': [
      { ...base, normalizer: { type: 'NFC', odd: true } },
      /normalizer "NFC": "odd" is true/,
    ],
    'a normalizer': [{ ...base, normalizer: { type: 'Nmt' } }, /normalizer "Nmt": .* not supported/],
    'a pre-tokenizer': [
      { ...base, pre_tokenizer: { type: 'UnicodeScripts' } },
      /pre_tokenizer "UnicodeScripts"/,
    ],
    dropout: [
      { ...bytePairs, model: { ...(bytePairs.model as JsonObject), dropout: 0.1 } },
      /model "BPE": "dropout"/,
    ],
    'an unknown id that is missing': [
      { ...base, model: { ...(base.model as JsonObject), unk_id: null } },
      /model "Unigram": "unk_id" is missing/,
    ],
    'an id that the reference would not give': [
      { ...base, added_tokens: token({ id: 99 }) },
      /added token "x" has the id 99, but its position gives it the id 21/,
    ],
    'two tokens that are one once normalized': [
      {
        ...base,
        added_tokens: [
          ...token({ content: 'ﬁx', normalized: true }),
          ...token({ id: 22, content: 'fix', normalized: true }),
        ],
      },
      /added token "fix" is "ﬁx" once normalized/,
    ],
    'an anchor': [{ ...base, ...split('^a') }, /pre_tokenizer "Split": the pattern "\^a"/],
    'an intersection': [{ ...base, ...split('[a&&b]') }, /a set in a class/],
    'a word boundary': [{ ...base, ...split('\\ba') }, /"\\\\b" in it/],
    'a pattern that matches nothing': [{ ...base, ...split('a*') }, /matches an empty text/],
    'a version': [{ ...base, version: '2.0' }, /the version "2.0"/],
  };
  for (const [what, [json, message]] of Object.entries(cases)) {
    it(what, () => assert.throws(() => createTokenizer(json), message));
  }
});
