import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Engine } from '../src/engine.ts';

const sentences = [
  'A cat sleeps.',
  'Zwei Züge kreuzen sich.',
  'one',
  'The quick brown fox jumps over the lazy dog.',
];
const hostile = {
  empty: '',
  spaces: '   ',
  'control characters': '\u0000\u0001\u001b\u007f\r\n',
  emoji: '👩‍👩‍👧😀'.repeat(1_000),
  'combining marks': `a${'\u0301\u0316'.repeat(10_000)}`,
  'a long word': 'a'.repeat(100_000),
  'a replacement character': '\ufffd',
};

/** What every engine guarantees. `open` is called more than once, and the tests close what it returns. */
export function engineContract(name: string, open: () => Promise<Engine>): void {
  describe(`engine: ${name}`, () => {
    let engine: Engine;

    before(async () => {
      engine = await open();
    });
    after(() => engine.close());

    const embed = async (texts: string[]) => engine.run(await engine.prepare(texts, 'document'));

    it('describes its model', () => {
      assert.ok(engine.model.name.length > 0 && engine.model.fingerprint.length > 0);
      for (const size of [
        engine.model.dimensions,
        engine.model.maxTokens,
        engine.concurrency,
        engine.maxBatchTokens,
        engine.briefBatchTokens,
      ]) {
        assert.ok(Number.isInteger(size) && size > 0);
      }
    });

    it('counts the tokens before and after the cut', async () => {
      const long = 'word '.repeat(2 * engine.model.maxTokens);
      const [first, second] = await engine.prepare(['word', long], 'query');
      assert.ok(first && second);
      assert.ok(first.tokenCount > 0 && first.tokenCount === first.fullTokenCount);
      assert.equal(second.tokenCount, engine.model.maxTokens);
      assert.ok(second.fullTokenCount > engine.model.maxTokens);
    });

    it('returns unit vectors, each with a buffer of its own', async () => {
      for (const vector of await embed(sentences)) {
        assert.ok(vector instanceof Float32Array);
        assert.equal(vector.length, engine.model.dimensions);
        assert.equal(vector.buffer.byteLength, vector.byteLength);
        assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
      }
    });

    it('returns vectors in order, and the same vector alone as in any batch', async () => {
      const alone = (await Promise.all(sentences.map((sentence) => embed([sentence])))).flat();
      const together = await embed(sentences);
      const reversed = (await embed(sentences.toReversed())).toReversed();
      for (const vectors of [together, reversed]) {
        vectors.forEach((vector, i) => {
          assert.ok(largestDifference(vector, alone[i]!) <= 1e-6);
        });
      }
      assert.ok(largestDifference(alone[0]!, alone[1]!) > 1e-3);
    });

    it('returns nothing for no texts', async () => {
      assert.deepEqual(await engine.prepare([], 'document'), []);
      assert.deepEqual(await engine.run([]), []);
    });

    for (const [what, text] of Object.entries(hostile)) {
      it(`survives ${what}`, async () => {
        const [vector] = await embed([text]);
        assert.ok(vector?.every(Number.isFinite));
      });
    }

    it('accepts more batches at once than it computes', async () => {
      const expected = await embed(['word']);
      const all = await Promise.all(Array.from({ length: 3 * engine.concurrency }, () => embed(['word'])));
      for (const [vector] of all) assert.ok(largestDifference(vector!, expected[0]!) <= 1e-6);
    });

    it('fails running batches when it closes, and all later ones', async () => {
      const closing = await open();
      const batch = await closing.prepare(Array(8).fill('word '.repeat(closing.model.maxTokens)), 'document');
      const running = Array.from({ length: 2 * closing.concurrency }, () => closing.run(batch));
      const outcomes = Promise.allSettled([...running, closing.prepare(['word'], 'document')]);
      await closing.close();
      for (const { status } of await outcomes) assert.equal(status, 'rejected');
      await assert.rejects(closing.run(batch));
      await assert.rejects(closing.prepare(['word'], 'document'));
    });
  });
}

function largestDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((largest, value, i) => Math.max(largest, Math.abs(value - b[i]!)), 0);
}
