import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PartlyFailed, TextTooLong } from '../../../packages/engine/src/index.ts';
import {
  Batcher,
  type BatcherOptions,
  type Computation,
  type Durations,
} from '../../../src/embeddings/batcher.ts';
import type { Preparation } from '../../../src/embeddings/preparer.ts';
import { invalidText } from '../../../src/embeddings/text-errors.ts';
import { ServiceError } from '../../../src/errors.ts';
import { FixtureEngine, type FixtureText, fixtureTokens, fixtureVector, Gate } from './fixture-engine.ts';
import { prepareAndCompute } from './prepare-and-compute.ts';

const clock = { now: () => 0 };
const organization = { id: 'org', weight: 1 };
const asDocument: Preparation & Computation = { organization, inputType: 'document', truncate: true };
const nextTurn = (): Promise<void> => new Promise(setImmediate);

/** `count` different texts of so many words each. */
const textsOf = (count: number, words: number, name = 'word'): string[] =>
  Array.from({ length: count }, (_, n) => [`${name}${n}`, ...Array(words - 1).fill('w')].join(' '));
const vectorsOf = (texts: readonly string[]) =>
  texts.map((text) => ({
    vector: fixtureVector(text, 'document'),
    tokenCount: Math.min(fixtureTokens(text), 128),
    isCut: fixtureTokens(text) > 128,
  }));

/** A batcher whose batches wait at a gate. */
function gated(engineOptions: ConstructorParameters<typeof FixtureEngine>[0] = {}, options?: BatcherOptions) {
  const engine = new FixtureEngine(engineOptions);
  const gate = new Gate();
  engine.beforeRun = gate.pass;
  const time = { nowMs: 0 };
  return { engine, gate, time, batcher: new Batcher(engine, { now: () => time.nowMs }, options) };
}

const sizesOf = (batch: readonly { tokenCount: number }[]): number[] => [
  batch.length,
  batch.reduce((tokens, { tokenCount }) => tokens + tokenCount, 0),
];

const batchTexts = (engine: FixtureEngine): string[][] =>
  engine.batches.map((batch) => batch.map(({ text }) => text));

describe('batcher', () => {
  it('returns exact vectors for any mixture of requests, and never exceeds its bounds', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(lengths, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 128, max: 1_000 }),
        fc.scheduler(),
        async (requests, concurrency, maxBatchTokens, s) => {
          const engine = new FixtureEngine({ concurrency, maxBatchTokens });
          engine.beforePrepare = s.scheduleFunction(async () => {});
          engine.beforeRun = s.scheduleFunction(async () => {});
          const told = { batches: [] as number[][], prepared: [] as number[], computed: [] as Durations[] };
          const observer = {
            batch: (...sizes: number[]) => told.batches.push(sizes),
            prepared: (tokenizationMs: number) => told.prepared.push(tokenizationMs),
            computed: (durations: Durations) => told.computed.push(durations),
          };
          const batcher = new Batcher(engine, clock, { maxBatchTexts: 16, observer });
          const texts = requests.map((words, i) =>
            words.flatMap((count, j) => textsOf(1, count, `${i}-${j}-`)),
          );
          const answers = texts.map((each) => prepareAndCompute(batcher, each, asDocument));
          await s.waitFor(Promise.all(answers));

          assert.deepEqual(await Promise.all(answers), texts.map(vectorsOf));
          assert.deepEqual(engine.computedTexts.sort(), texts.flat().sort());
          assert.ok(engine.mostRunning <= concurrency);
          assert.deepEqual(told.batches, engine.batches.map(sizesOf));
          assert.deepEqual([told.prepared.length, told.computed.length], [requests.length, requests.length]);
          assert.ok(told.prepared.every((tokenizationMs) => tokenizationMs >= 0));
          for (const { queueMs, inferenceMs } of told.computed) {
            assert.ok(queueMs >= -1e-6 && inferenceMs >= 0);
          }
          for (const batch of engine.batches) {
            const longest = Math.max(...batch.map(({ tokenCount }) => tokenCount));
            assert.ok(batch.length <= 16 && longest * batch.length <= maxBatchTokens);
          }
          assert.ok(Object.values(batcher.stats).every((figure) => figure === 0));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('bounds a batch by the overhead of its texts too', async () => {
    const { engine, gate, batcher } = gated({ overheadTokens: 10, maxBatchTokens: 48 });
    const done = prepareAndCompute(batcher, textsOf(8, 2), asDocument);
    gate.open();
    await done;
    assert.deepEqual(
      engine.batches.map((batch) => batch.length),
      [4, 4],
    );
  });

  it('takes a single text behind 8 requests of 256 into the very next batch', async () => {
    const { engine, gate, batcher } = gated({ maxBatchTokens: 64 });
    const large = Array.from({ length: 8 }, (_, n) =>
      prepareAndCompute(batcher, textsOf(256, 8, `large${n}-`), asDocument),
    );
    await gate.reached();
    for (let batch = 0; batch < 10; batch++) {
      gate.letOne();
      await gate.reached();
    }
    const small = prepareAndCompute(batcher, textsOf(1, 2, 'small'), asDocument);
    await nextTurn();
    for (let batch = 0; batch < 2; batch++) {
      gate.letOne();
      await gate.reached();
    }
    await small;
    assert.deepEqual(batchTexts(engine).at(11)?.includes('small0 w'), true);
    gate.open();
    await Promise.all(large);
  });

  it('makes batches short while a request that needed more than one is running', async () => {
    const { engine, gate, batcher } = gated({ maxBatchTokens: 64, briefBatchTokens: 16 });
    gate.open();
    await prepareAndCompute(batcher, textsOf(20, 4), asDocument);
    await prepareAndCompute(batcher, textsOf(16, 4), asDocument);
    assert.deepEqual(
      engine.batches.map((batch) => batch.length),
      [16, 4, 16],
    );
    await prepareAndCompute(batcher, textsOf(30, 4), asDocument);
    assert.deepEqual(
      engine.batches.slice(3).map((batch) => batch.length),
      [16, 4, 4, 4, 2],
    );
  });

  it('lets no request starve behind a stream of others', async () => {
    const { engine, gate, time, batcher } = gated({ maxBatchTokens: 64 });
    const long = prepareAndCompute(batcher, textsOf(3, 60, 'long'), asDocument);
    const others = [prepareAndCompute(batcher, textsOf(16, 4, 'first'), asDocument)];
    const turns = 30;
    for (let n = 0; n < turns; n++) {
      await gate.reached();
      time.nowMs += 50;
      others.push(prepareAndCompute(batcher, textsOf(16, 4, `stream${n}-`), asDocument));
      await nextTurn();
      gate.letOne();
    }
    gate.open();
    await Promise.all([long, ...others]);
    const turnsOfLong = batchTexts(engine).flatMap((batch, turn) =>
      batch[0]!.startsWith('long') ? [turn] : [],
    );
    assert.equal(turnsOfLong.length, 3);
    // 250 ms are five turns; those that had arrived by then come before it too.
    assert.ok(turnsOfLong.at(-1)! < 20, `in turns ${turnsOfLong}`);
  });

  it('groups texts of similar length', async () => {
    const { engine, gate, batcher } = gated({ maxBatchTokens: 100 });
    gate.open();
    const words = [1, 50, 2, 49, 1, 50, 2, 49];
    await prepareAndCompute(
      batcher,
      words.flatMap((count, n) => textsOf(1, count, `${n}-`)),
      asDocument,
    );
    const lengths = engine.batches.map((batch) => batch.map(({ tokenCount }) => tokenCount));
    assert.deepEqual(lengths, [
      [50, 50],
      [49, 49],
      [2, 2, 1, 1],
    ]);
  });

  it('shares waiting texts among idle workers', async () => {
    const { engine, gate, batcher } = gated({ concurrency: 3 });
    const answer = prepareAndCompute(batcher, textsOf(9, 1), asDocument);
    await gate.reached(3);
    assert.deepEqual(
      engine.batches.map((batch) => batch.length),
      [3, 3, 3],
    );
    gate.open();
    await answer;
  });

  it('computes requests of one turn of the event loop together', async () => {
    const { engine, gate, batcher } = gated();
    gate.open();
    await Promise.all(['a', 'b', 'c'].map((text) => prepareAndCompute(batcher, [text], asDocument)));
    assert.deepEqual(batchTexts(engine), [['a', 'b', 'c']]);
  });

  it('admits requests within its bound, by the largest number of tokens a text can have and the cost of reading it', () => {
    const { batcher } = gated({}, { maxAdmittedTokens: 730 });
    const release = batcher.admit(organization, ['x'.repeat(10_000), 'x'.repeat(99)]);
    assert.equal(batcher.stats.admittedTokens, 128 + 19 + 100);
    batcher.admit(organization, ['x'.repeat(71)]);
    assert.throws(() => batcher.admit(organization, ['x']), { code: 'overloaded' });
    release();
    batcher.admit(organization, ['x']);
  });

  it('refuses a text that is too long and may not be cut before computing anything', async () => {
    const { engine, batcher } = gated();
    const texts = ['short', ...textsOf(1, 129), ...textsOf(1, 128)];
    await assert.rejects(prepareAndCompute(batcher, texts, { ...asDocument, truncate: false }), {
      name: 'TextTooLong',
      position: 1,
      tokenCount: 129,
    });
    assert.deepEqual(engine.batches, []);
  });

  it('fails a request whose batch fails, and serves the next', async () => {
    const { engine, gate, batcher } = gated();
    gate.open();
    const cause = new Error('the worker died');
    engine.beforeRun = () => Promise.reject(cause);
    await assert.rejects(prepareAndCompute(batcher, textsOf(1_000, 4), asDocument), {
      code: 'unavailable',
      retryAfterSeconds: 1,
      cause,
    });
    assert.equal(engine.batches.length, 1);
    assert.equal(batcher.stats.waitingTexts, 0);
    engine.beforeRun = gate.pass;
    assert.deepEqual(await prepareAndCompute(batcher, ['a'], asDocument), vectorsOf(['a']));
  });

  it('fails a request that cannot be prepared, and serves the next', async () => {
    const { engine, gate, batcher } = gated();
    gate.open();
    const cause = new Error('no tokenizer');
    engine.beforePrepare = () => Promise.reject(cause);
    await assert.rejects(prepareAndCompute(batcher, ['a'], asDocument), { code: 'unavailable', cause });
    engine.beforePrepare = async () => {};
    assert.deepEqual(await prepareAndCompute(batcher, ['a'], asDocument), vectorsOf(['a']));
  });

  const unusable: [string, Float32Array][] = [
    ['not a number', new Float32Array(8).fill(Number.NaN, 3, 4)],
    ['an infinity', new Float32Array(8).fill(Number.NEGATIVE_INFINITY, 7)],
    ['too few numbers', new Float32Array(7)],
    ['too many numbers', new Float32Array(9)],
  ];
  for (const [what, vector] of unusable) {
    it(`fails a request for a vector with ${what}, and not the others of its batch`, async () => {
      const { engine, gate, batcher } = gated();
      gate.open();
      engine.vectorOf = ({ text, inputType }) => (text === 'bad' ? vector : fixtureVector(text, inputType));
      const [bad, good] = await Promise.allSettled([
        prepareAndCompute(batcher, ['fine', 'bad'], asDocument),
        prepareAndCompute(batcher, ['good'], asDocument),
      ]);
      assert.equal(engine.batches.length, 1);
      assert.ok(bad?.status === 'rejected' && bad.reason instanceof ServiceError);
      assert.equal(bad.reason.code, 'unavailable');
      assert.deepEqual(good?.status === 'fulfilled' && good.value, vectorsOf(['good']));
    });
  }

  it('fails a batch that returns a wrong number of vectors', async () => {
    const { engine, batcher } = gated();
    for (const count of [1, 3]) {
      engine.run = async () => Array(count).fill(new Float32Array(8));
      await assert.rejects(prepareAndCompute(batcher, ['a', 'b'], asDocument), { code: 'unavailable' });
    }
  });

  it('drops the texts of a client that has disconnected, unless all are in a batch', async () => {
    const { engine, gate, batcher } = gated({ maxBatchTokens: 128 });
    const client = new AbortController();
    const request = { ...asDocument, signal: client.signal };
    const running = prepareAndCompute(batcher, ['running'], request);
    await gate.reached();
    const dropped = prepareAndCompute(batcher, textsOf(500, 2), request);
    await nextTurn();
    assert.equal(batcher.stats.waitingTexts, 500);
    client.abort();
    await assert.rejects(dropped, { code: 'request_timeout' });
    assert.equal(batcher.stats.waitingTexts, 0);
    gate.open();
    assert.deepEqual(await running, vectorsOf(['running']));
    assert.deepEqual(engine.computedTexts, ['running']);
  });

  it('computes nothing for a client that disconnects during the preparation', async () => {
    const { engine, batcher } = gated();
    const client = new AbortController();
    const preparing = new Gate();
    engine.beforePrepare = preparing.pass;
    const answer = prepareAndCompute(batcher, ['a'], { ...asDocument, signal: client.signal });
    await preparing.reached();
    client.abort();
    preparing.open();
    await assert.rejects(answer, { code: 'request_timeout' });
    assert.deepEqual(engine.batches, []);
  });

  it('closes after all accepted work is done', async () => {
    const { engine, gate, batcher } = gated({ maxBatchTokens: 4 });
    const answers = Promise.all(
      ['a', 'b'].map((name) => prepareAndCompute(batcher, textsOf(6, 1, name), asDocument)),
    );
    let isClosed = false;
    const closing = batcher.close().then(() => {
      isClosed = true;
    });
    await gate.reached();
    assert.equal(isClosed, false);
    gate.open();
    await closing;
    assert.equal(engine.computedTexts.length, 12);
    await answers;
    await batcher.close();
  });
});

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
  const organization = { id: 'org', weight: 1 };
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
    invalidText(refused.reason, 7).message,
    /^input\[7\] is longer than the model reads\. Shorten it, or send/,
  );
  assert.ok(broken.status === 'rejected' && broken.reason.code === 'unavailable');
  await batcher.close();
});

describe('background work of the batcher', () => {
  it('is computed only while no request waits, and shared by organization', async () => {
    const { engine, gate, batcher } = gated({ concurrency: 1, maxBatchTokens: 8 });
    const background = (id: string) => ({
      ...asDocument,
      organization: { ...organization, id },
      isBackground: true,
    });
    const compute = (text: string, options: Preparation & Computation) =>
      prepareAndCompute(batcher, [text], options);
    const first = compute('running a b c d e f g', asDocument);
    await nextTurn();
    const others = ['a1', 'a2', 'b1'].map((text) =>
      compute(`${text} a b c d e f g`, background(`background ${text[0]}`)),
    );
    await nextTurn();
    const request = compute('request a b c d e f g', asDocument);
    await nextTurn();
    gate.open();
    await Promise.all([first, request, ...others]);
    const order = batchTexts(engine).flatMap((texts) => texts.map((text) => text.split(' ')[0]));
    assert.deepEqual(order, ['running', 'request', 'a1', 'b1', 'a2']);
  });

  it('begins little by little while requests keep coming, and at once otherwise', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const batcher = new Batcher(new FixtureEngine({}), clock);
    let begun = 0;
    const wait = (count: number) =>
      Array.from({ length: count }, () =>
        batcher.waitInBackground(organization, ['text'], undefined).then(() => {
          begun += 1;
        }),
      );
    await Promise.all(wait(100));
    await prepareAndCompute(batcher, ['a request'], asDocument);
    const waiting = wait(40);
    await nextTurn();
    assert.ok(begun < 140, String(begun));
    while (begun < 140) {
      t.mock.timers.runAll();
      await nextTurn();
    }
    await Promise.all(waiting);
  });

  it('begins in turns by weight, not in the order of arrival', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const batcher = new Batcher(new FixtureEngine({}), clock);
    await prepareAndCompute(batcher, ['a request'], asDocument);
    const order: number[] = [];
    const waiting = [1, 3].flatMap((weight) =>
      Array.from({ length: 60 }, () =>
        batcher.waitInBackground({ id: `${weight}`, weight }, ['text'], undefined).then(() => {
          order.push(weight);
        }),
      ),
    );
    while (order.length < 120) {
      t.mock.timers.runAll();
      await nextTurn();
    }
    await Promise.all(waiting);
    const share = order.slice(0, 80).filter((weight) => weight === 3).length;
    assert.ok(share >= 58 && share <= 60, `${share} of the first 80`);
  });
});
