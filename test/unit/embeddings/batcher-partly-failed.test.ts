import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Batcher } from '../../../src/embeddings/batcher.ts';
import { PartlyFailed } from '../../../src/engines/engine.ts';
import { TextTooLong } from '../../../src/engines/text-errors.ts';
import { FixtureEngine, type FixtureText, fixtureVector } from './fixture-engine.ts';
import { prepareAndCompute } from './prepare-and-compute.ts';

/** Refuses some texts, and computes the others of their batch. */
class RefusingEngine extends FixtureEngine {
  override async run(batch: readonly FixtureText[]): Promise<Float32Array[]> {
    await super.run(batch);
    throw new PartlyFailed(
      batch.map(({ text }, i) => {
        if (text === 'long') return new TextTooLong(i, null, 128);
        return text === 'broken' ? new Error('no vector') : fixtureVector(text, 'document');
      }),
    );
  }
}

it('a failing text fails only its own request, at its index there', async () => {
  const organization = { id: 'org', weight: 1, roomPercent: 50 };
  const engine = new RefusingEngine();
  const batcher = new Batcher(engine, { now: () => 0 });
  const embed = (...texts: string[]) =>
    prepareAndCompute(batcher, texts, { organization, inputType: 'document', truncate: false });
  const [whole, refused, broken] = await Promise.allSettled([
    embed('a', 'b'),
    embed('c', 'd', 'long'),
    embed('broken'),
  ]);
  assert.equal(engine.batches.length, 1);
  assert.deepEqual(
    whole.status === 'fulfilled' && whole.value.map(({ vector }) => vector),
    ['a', 'b'].map((text) => fixtureVector(text, 'document')),
  );
  assert.ok(refused.status === 'rejected' && refused.reason instanceof TextTooLong);
  assert.equal(refused.reason.position, 2);
  assert.match(
    refused.reason.at(7).message,
    /^input\[7\] is longer than the model reads\. Shorten it, or send/,
  );
  assert.ok(broken.status === 'rejected' && broken.reason.code === 'unavailable');
  await batcher.close();
});
