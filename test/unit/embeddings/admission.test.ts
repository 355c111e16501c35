import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Admission } from '../../../src/embeddings/admission.ts';
import { Charge } from '../../../src/embeddings/charge.ts';
import type { CachedVector } from '../../../src/embeddings/vector-cache.ts';
import { ServiceError } from '../../../src/errors.ts';
import type { Sharer } from '../../../src/lib/fair-order.ts';
import { CountingQuota } from './embedding-parts.ts';

const organization = (id: string): Sharer => ({ id, weight: 1 });
const [a, b, c] = ['a', 'b', 'c'].map((id) => organization(id)) as [Sharer, Sharer, Sharer];

/** A queue of which organizations share 1,000 tokens, besides a reserve of 2 for each of 64. */
const sizeTokens = 1_143;

function retryAfterOf(take: () => unknown): number {
  try {
    take();
  } catch (reason) {
    assert.ok(reason instanceof ServiceError);
    assert.equal(reason.code, 'overloaded');
    return reason.retryAfterSeconds!;
  }
  assert.fail('was admitted');
}

/** Takes permits of so many tokens until one is refused, and returns how many tokens were admitted. */
function fill(admission: Admission, party: Sharer, tokens: number): number {
  for (let admitted = 0; ; admitted += tokens) {
    try {
      admission.take(party, tokens);
    } catch {
      return admitted;
    }
  }
}

describe('admission', () => {
  it('leaves half of the queue free beside one flood, and a third beside two', () => {
    const admission = new Admission(sizeTokens);
    assert.equal(fill(admission, a, 10), 500);
    assert.equal(fill(admission, b, 10), 250);
    assert.equal(fill(admission, c, 10), 120);
  });

  it('lets floods converge to equal shares while what they hold is computed', () => {
    const admission = new Admission(sizeTokens);
    const held: { party: Sharer; release: () => void }[] = [];
    const offer = (party: Sharer): void => {
      try {
        held.push({ party, release: admission.take(party, 10) });
      } catch {}
    };
    for (let i = 0; i < 100; i++) offer(a);
    for (let i = 0; i < 500; i++) {
      held.shift()?.release();
      offer(a);
      offer(b);
    }
    const of = (party: Sharer) => 10 * held.filter((each) => each.party === party).length;
    assert.ok(Math.abs(of(a) - 333) <= 20 && Math.abs(of(b) - 333) <= 20, `${of(a)} and ${of(b)}`);
  });

  it('admits an organization that holds nothing, whatever up to 63 other organizations do', () => {
    const step = fc.record({
      who: fc.nat(62),
      tokens: fc.integer({ min: 1, max: 900 }),
      isRelease: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1_024, max: 20_000 }),
        fc.array(step, { maxLength: 400 }),
        (size, steps) => {
          const admission = new Admission(size);
          const held: (() => void)[] = [];
          for (const { who, tokens, isRelease } of steps) {
            if (isRelease) held.shift()?.();
            else {
              try {
                held.push(admission.take(organization(`flood ${who}`), tokens));
              } catch {}
            }
            assert.ok(admission.heldTokens <= size);
          }
          const guaranteed = Math.floor(Math.floor(size / 8) / 64);
          const before = admission.heldTokens;
          const release = admission.take(organization('calm'), guaranteed);
          assert.equal(admission.heldTokens, before + guaranteed);
          release();
          for (const each of held) each();
          assert.deepEqual([admission.heldTokens, admission.organizations], [0, 0]);
        },
      ),
    );
  });

  it('releases a permit once', () => {
    const admission = new Admission(sizeTokens);
    admission.take(a, 30);
    const release = admission.take(a, 30);
    release();
    release();
    assert.equal(admission.heldTokens, 30);
  });

  it('admits again after a release, and forgets organizations that hold nothing', () => {
    const admission = new Admission(sizeTokens);
    const release = admission.take(a, 500);
    assert.throws(() => admission.take(a, 3), { code: 'overloaded', message: /\(MAX_QUEUE_TOKENS\)/ });
    assert.equal(admission.organizations, 1);
    release();
    assert.equal(admission.organizations, 0);
    admission.take(a, 500);
  });

  it('refuses a permit that never fits with a message that says what does', () => {
    const admission = new Admission(sizeTokens);
    assert.throws(() => admission.take(a, 1_001), {
      code: 'invalid_request',
      param: 'input',
      bound: 'MAX_QUEUE_TOKENS',
      message:
        /have up to 1,001 tokens, but the queue has room for 500 of a request \(MAX_QUEUE_TOKENS\)\. Send fewer texts/,
    });
    admission.take(a, 500);
  });

  it('sends clients back at different times, from one to four seconds later', () => {
    const admission = new Admission(sizeTokens);
    fill(admission, a, 10);
    const waits = new Set(Array.from({ length: 200 }, () => retryAfterOf(() => admission.take(a, 10))));
    assert.deepEqual([...waits].sort(), [1, 2, 3, 4]);
  });
});

const vectorOf = (tokenCount: number): CachedVector => ({
  vector: Float32Array.of(1),
  tokenCount,
  isCut: false,
});

/** A charge of 10 tokens for a text that is in a batch, and the moves that it makes, in order. */
async function started() {
  const quota = new CountingQuota();
  const moves: string[] = [];
  const settle = quota.settle.bind(quota);
  quota.settle = (unit, units) => {
    moves.push(`settled at ${units.tokens}`);
    return settle(unit, units);
  };
  const charge = new Charge(
    {
      quota,
      cache: { remember: (key) => moves.push(`remembered ${key}`) },
      onGiveBackError: (reason) => moves.push(String(reason)),
    },
    'org',
    { keyId: 'key', limitsKeyId: 'key', limitsUserId: null, model: 'fixture' },
  );
  const portion = charge.reserve(2, 10);
  await portion.taken();
  portion.start();
  return { portion, quota, moves };
}

describe('the vectors of a charge', () => {
  it('enter the cache after their tokens are corrected, also if the client has disconnected meanwhile', async () => {
    const { portion, moves } = await started();
    portion.add('a', vectorOf(7), 5);
    await portion.fail({ isClientGone: true });
    assert.deepEqual(moves, ['settled at 12', 'remembered a']);
    portion.add('b', vectorOf(25), 5);
    await portion.keep();
    assert.deepEqual(moves.slice(2), ['settled at 32', 'remembered b']);
  });

  it('never enter the cache if their tokens can’t be corrected', async () => {
    const { portion, quota, moves } = await started();
    quota.settle = () => Promise.reject(new Error('the store is away'));
    portion.add('a', vectorOf(7), 5);
    await portion.keep();
    assert.deepEqual(moves, ['Error: the store is away']);
  });

  it('need no correction if the tokens were known', async () => {
    const { portion, moves } = await started();
    portion.add('a', vectorOf(5), 5);
    portion.add('b', vectorOf(5), 5);
    await portion.keep();
    assert.deepEqual(moves, ['remembered a', 'remembered b']);
  });
});
