import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Admission } from '../../src/embeddings/admission.ts';
import { ServiceError } from '../../src/errors.ts';

const settableClock = () => {
  const clock = {
    nowMs: 1_000_000,
    now: () => clock.nowMs,
    advance(ms: number): void {
      clock.nowMs += ms;
    },
  };
  return clock;
};

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

describe('admission', () => {
  it('holds no more than its bound', () => {
    const admission = new Admission(100, settableClock());
    const release = admission.take(60);
    admission.take(40);
    assert.throws(() => admission.take(1), { code: 'overloaded' });
    release();
    assert.equal(admission.heldTokens, 40);
    admission.take(60);
    assert.equal(admission.heldTokens, 100);
  });

  it('releases a permit once', () => {
    const admission = new Admission(100, settableClock());
    admission.take(30);
    const release = admission.take(30);
    release();
    release();
    assert.equal(admission.heldTokens, 30);
  });

  it('admits what is larger than the bound when it is alone', () => {
    const admission = new Admission(100, settableClock());
    const release = admission.take(1_000);
    assert.throws(() => admission.take(1), { code: 'overloaded' });
    release();
    admission.take(1);
    assert.throws(() => admission.take(1_000), { code: 'overloaded' });
  });

  it('estimates from past computations when there will be room', () => {
    const clock = settableClock();
    const admission = new Admission(1_000, clock);
    const release = admission.take(500);
    clock.advance(5_000);
    release();
    // 100 tokens a second; idle hours in between change nothing about it.
    clock.advance(3_600_000);
    admission.take(1_000);
    assert.equal(
      retryAfterOf(() => admission.take(300)),
      3,
    );
    assert.equal(
      retryAfterOf(() => admission.take(1)),
      1,
    );
    assert.equal(
      retryAfterOf(() => admission.take(5_000)),
      10,
    );
  });

  it('prefers recent observations', () => {
    const clock = settableClock();
    const admission = new Admission(1_000, clock);
    const work = (tokens: number, ms: number): void => {
      const release = admission.take(tokens);
      clock.advance(ms);
      release();
    };
    work(1_000, 1_000);
    for (let minute = 0; minute < 5; minute++) work(600, 60_000);
    admission.take(1_000);
    assert.equal(
      retryAfterOf(() => admission.take(100)),
      10,
    );
  });

  it('estimates between a second and a minute, and uses the running time before anything is done', () => {
    const clock = settableClock();
    const admission = new Admission(1_000, clock);
    admission.take(1_000);
    const retryAfter = (): number => retryAfterOf(() => admission.take(1));
    assert.equal(retryAfter(), 1);
    clock.advance(7_000);
    assert.equal(retryAfter(), 7);
    clock.advance(-3_600_000);
    assert.equal(retryAfter(), 7);
    clock.advance(3_600_000);
    assert.equal(retryAfter(), 60);
  });
});
