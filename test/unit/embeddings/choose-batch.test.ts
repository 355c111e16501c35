import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { chooseBatch } from '../../../src/embeddings/choose-batch.ts';

type Waiting = { tokens: number }[];
const choose = (
  waiting: Waiting,
  maxTokens: number,
  maxTexts: number,
  isPadded = true,
): { tokens: number }[] => chooseBatch(waiting, ({ tokens }) => tokens, { maxTokens, maxTexts, isPadded });
const ofLengths = (...lengths: number[]): Waiting => lengths.map((tokens) => ({ tokens }));

describe('choice of a batch', () => {
  it('leaves out no text that would fit without making the batch longer', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(128), { minLength: 1, maxLength: 100 }), (lengths) => {
        const waiting = ofLengths(...lengths);
        const batch = choose(waiting, 512, 1_000);
        const longest = Math.max(...batch.map(({ tokens }) => tokens));
        const wouldFit = waiting.filter(
          (text) => !batch.includes(text) && Math.max(longest, text.tokens) * (batch.length + 1) <= 512,
        );
        assert.deepEqual(wouldFit, []);
      }),
    );
  });

  it('takes the texts nearest in length', () => {
    const lengths = choose(ofLengths(20, 90, 22, 5, 19, 60, 21), 1_000, 4).map(({ tokens }) => tokens);
    assert.deepEqual(lengths.sort(), [19, 20, 21, 22]);
  });

  it('takes texts in the order in which they wait, and bounds the sum of their tokens, where nothing is padded', () => {
    const lengths = choose(ofLengths(20, 90, 22, 60, 5, 19), 140, 4, false).map(({ tokens }) => tokens);
    assert.deepEqual(lengths, [20, 90, 22, 5]);
  });

  it('takes texts of equal length in the order in which they wait', () => {
    const waiting = ofLengths(3, 3, 3, 3);
    assert.deepEqual(choose(waiting, 1_000, 2), waiting.slice(0, 2));
  });
});
