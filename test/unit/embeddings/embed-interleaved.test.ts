import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PartlyFailed } from '../../../packages/engine/src/index.ts';
import type { EmbedResult } from '../../../src/embeddings/embed.ts';
import { ServiceError } from '../../../src/errors.ts';
import { inTurn } from '../../helpers/turns.ts';
import { type Ask, fresh, openParts } from './embedding-parts.ts';
import { FixtureEngine, type FixtureText, fixtureTokens, fixtureVector } from './fixture-engine.ts';

const tooLong = Array(130).fill('w').join(' ');
const words = ['a', 'b b', 'c c c', 'd', 'e e e e e', 'f', 'g g', tooLong];
const orgs = ['org one', 'org two'];

interface Planned extends Ask {
  readonly orgId: string;
  readonly truncate: boolean;
  readonly goes: boolean;
}

const planned: fc.Arbitrary<Planned> = fc.record({
  orgId: fc.constantFrom(...orgs),
  inputType: fc.constantFrom('document' as const, 'query' as const),
  truncate: fc.boolean(),
  texts: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }),
  goes: fc.boolean(),
});
const manyPlanned = fc.array(planned, { minLength: 1, maxLength: 10 });
const concurrency = fc.integer({ min: 1, max: 2 });

/** Parts whose every step takes as long as the scheduler decides. */
function scheduledParts(s: fc.Scheduler, concurrency: number) {
  const parts = openParts({ engine: new FixtureEngine({ concurrency, maxBatchTokens: 128 }) });
  const step = (name: string) =>
    s.scheduleFunction(Object.defineProperty(async () => {}, 'name', { value: name }));
  // Then a text alone is computed while it is counted.
  parts.quota.isAmple = concurrency > 1;
  parts.engine.beforePrepare = step('prepare');
  parts.engine.beforeRun = step('run');
  parts.store.before = step('store');
  parts.quota.beforeReserve = step('reserve');
  parts.quota.beforeGiveBack = step('give back');
  return parts;
}

type Outcome = PromiseSettledResult<EmbedResult>;

/** Starts all requests in an order and at times that the scheduler chooses, and lets some clients disconnect. */
async function runAll(s: fc.Scheduler, parts: ReturnType<typeof openParts>, requests: readonly Planned[]) {
  const arrivals: number[] = [];
  const running = requests.map(async (request, i) => {
    await s.schedule(Promise.resolve(), `request ${i} comes`);
    arrivals.push(i);
    const client = new AbortController();
    if (request.goes) void s.schedule(Promise.resolve(), `client ${i} goes`).then(() => client.abort());
    return parts.embed({ ...request, keyId: `key ${i}`, signal: () => client.signal });
  });
  const outcomes: Outcome[] = await s.waitFor(Promise.allSettled(running));
  await s.waitFor(parts.batcher.close());
  await s.waitFor(parts.close());
  return { arrivals, outcomes };
}

function assertFresh(request: Ask, result: EmbedResult): void {
  const expected = request.texts.map((text) => fresh(text, request.inputType));
  assert.deepEqual(result.embeddings, expected);
  assert.equal(
    result.promptTokens,
    expected.reduce((sum, { tokenCount }) => sum + tokenCount, 0),
  );
}

const nameOf = ({ orgId, inputType, truncate }: Planned, text: string): string =>
  JSON.stringify([orgId, inputType, truncate, text]);

function assertNothingLeft(parts: ReturnType<typeof openParts>): void {
  assert.deepEqual([parts.underWay.size, parts.quota.inProgress], [0, 0]);
  assert.ok(Object.values(parts.batcher.stats).every((figure) => figure === 0));
}

const isTooLong = ({ truncate, texts }: Planned): boolean =>
  !truncate && texts.some((text) => fixtureTokens(text) > 128);

describe('requests in any order and interleaving', () => {
  it('get the vectors of a fresh computation, and the first request for a text computes and is counted', async () => {
    const stored = fc.subarray(words);
    const remembered = fc.subarray(words);
    await fc.assert(
      fc.asyncProperty(
        manyPlanned,
        stored,
        remembered,
        concurrency,
        fc.scheduler(),
        async (plan, stored, remembered, n, s) => {
          const requests = plan.map((request) => ({ ...request, truncate: true, goes: false }));
          const parts = scheduledParts(s, n);
          const known = new Set<string>();
          const know = (text: string): string => {
            const request = { ...requests[0]!, orgId: 'org one', inputType: 'document' as const };
            known.add(nameOf(request, text));
            return text;
          };
          await s.waitFor(parts.storeTexts(stored.map(know), 'org one'));
          const textKey = parts.cacheKeys({ orgId: 'org one', cacheSecret: '' }, 'document', true);
          for (const text of remembered.map(know)) parts.cache.remember(textKey(text), fresh(text));

          const { arrivals, outcomes } = await runAll(s, parts, requests);

          let computed = 0;
          for (const i of arrivals) {
            const outcome = outcomes[i]!;
            assert.ok(
              outcome.status === 'fulfilled',
              String(outcome.status === 'rejected' && outcome.reason),
            );
            const request = requests[i]!;
            assertFresh(request, outcome.value);
            const unknown = new Set(request.texts.map((text) => nameOf(request, text))).difference(known);
            assert.equal(outcome.value.cached, unknown.size === 0);
            assert.equal(outcome.value.cachedTexts, request.texts.length - unknown.size);
            assert.deepEqual(parts.quota.movesOf(`key ${i}`), [unknown.size === 0 ? 0 : 1, 0]);
            computed += unknown.size;
            for (const name of unknown) known.add(name);
          }
          assert.equal(parts.engine.computedTexts.length, computed);
          assertNothingLeft(parts);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('are not affected by invalid requests or clients that disconnect', async () => {
    await fc.assert(
      fc.asyncProperty(manyPlanned, concurrency, fc.scheduler(), async (requests, n, s) => {
        const parts = scheduledParts(s, n);
        const { outcomes } = await runAll(s, parts, requests);
        outcomes.forEach((outcome, i) => {
          const request = requests[i]!;
          assertCounted(parts, i, outcome, request);
          if (outcome.status === 'fulfilled') {
            assert.ok(!isTooLong(request));
            assertFresh(request, outcome.value);
          } else {
            assertOwnFailure(request, outcome.reason);
          }
        });
        assertNothingLeft(parts);
        await s.waitFor(assertReadableIsCounted(parts, requests));
      }),
      { numRuns: 100 },
    );
  });

  it('are counted exactly, whatever fails, and never exceed the limit', async () => {
    const limit = fc.nat(4);
    const batchFails = fc.infiniteStream(fc.constantFrom('not', 'in part', 'entirely'));
    await fc.assert(
      fc.asyncProperty(
        manyPlanned,
        concurrency,
        limit,
        batchFails,
        fc.scheduler(),
        async (requests, n, limit, batchFails, s) => {
          const parts = scheduledParts(s, n);
          const { beforeRun } = parts.engine;
          parts.quota.limit = limit;
          parts.engine.beforeRun = async (batch) => {
            await beforeRun(batch);
            const fails = batchFails.next().value;
            if (fails === 'entirely') throw new Error('broken');
            if (fails === 'in part') throw new PartlyFailed(batch.map(refuseEveryOther));
          };
          const { outcomes } = await runAll(s, parts, requests);
          outcomes.forEach((outcome, i) => {
            assertCounted(parts, i, outcome, requests[i]!);
            if (outcome.status === 'fulfilled') assertFresh(requests[i]!, outcome.value);
            else if (!['unavailable', 'rate_limit_exceeded'].includes(outcome.reason.code)) {
              assertOwnFailure(requests[i]!, outcome.reason);
            }
          });
          for (const orgId of orgs) assert.ok(parts.quota.usedBy(orgId) <= limit);
          assertNothingLeft(parts);
          await s.waitFor(assertReadableIsCounted(parts, requests));

          // Failures have left nothing wrong behind.
          parts.quota.limit = Number.POSITIVE_INFINITY;
          parts.engine.beforeRun = beforeRun;
          const again = requests.map((request) => ({ ...request, truncate: true, goes: false }));
          const later = await runAll(s, parts, again);
          later.outcomes.forEach((outcome, i) => {
            assert.ok(outcome.status === 'fulfilled');
            assertFresh(again[i]!, outcome.value);
          });
        },
      ),
      { numRuns: 100 },
    );
  });
});

const refuseEveryOther = ({ text, inputType }: FixtureText, i: number): Float32Array | Error =>
  i % 2 === 0 ? fixtureVector(text, inputType) : new Error('refused');

/** A request that computed uses one unit. No other request does, unless its vectors can be read although it failed. */
function assertCounted(
  { quota, engine }: ReturnType<typeof openParts>,
  i: number,
  outcome: Outcome,
  { texts, inputType }: Planned,
): void {
  const [reserved, givenBack] = quota.movesOf(`key ${i}`);
  if (outcome.status === 'rejected') {
    const computed = engine.batches.flat().filter((text) => text.inputType === inputType);
    if (!computed.some(({ text }) => texts.includes(text))) assert.equal(reserved, givenBack);
    assert.ok(givenBack <= reserved);
  } else assert.deepEqual([reserved, givenBack], [outcome.value.cached ? 0 : 1, 0]);
  assert.ok(reserved <= 1);
}

/**
 * The texts and tokens that each organization has paid for are those whose vectors it can read. It may have paid for
 * more only if a client of its own disconnected.
 */
async function assertReadableIsCounted(
  parts: ReturnType<typeof openParts>,
  requests: readonly Planned[],
): Promise<void> {
  for (const orgId of orgs) {
    const own = requests.filter((request) => request.orgId === orgId);
    const keys = own.flatMap(({ texts, inputType, truncate }) =>
      texts.map(parts.cacheKeys({ orgId, cacheSecret: '' }, inputType ?? 'document', truncate)),
    );
    const found = await parts.cache.lookup([...new Set(keys)], inTurn);
    const readable = found.filter((value) => value !== undefined);
    const tokens = readable.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
    const counted = [parts.quota.countedBy(orgId, 'texts'), parts.quota.countedBy(orgId, 'tokens')] as const;
    if (own.some(({ goes }) => goes)) {
      assert.ok(readable.length <= counted[0] && tokens <= counted[1]);
    } else assert.deepEqual(counted, [readable.length, tokens]);
  }
}

function assertOwnFailure(request: Planned, reason: unknown): void {
  assert.ok(reason instanceof ServiceError, String(reason));
  if (reason.code === 'request_timeout') {
    assert.ok(request.goes);
    return;
  }
  assert.equal(reason.code, 'invalid_request');
  assert.ok(isTooLong(request));
  assert.ok(
    reason.message.startsWith(`input[${request.texts.indexOf(tooLong)}] has 130 tokens`),
    reason.message,
  );
}
