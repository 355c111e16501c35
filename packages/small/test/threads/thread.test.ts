import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test';
import { eventually } from '../../../../test/helpers/eventually.ts';
import { Unavailable } from '../../src/errors.ts';
import { Thread } from '../../src/threads/thread.ts';
import { ThreadPool } from '../../src/threads/thread-pool.ts';

const entry = new URL('./fixture-worker.ts', import.meta.url);
const options = { entry, name: 'fixture', data: undefined };

/** A pool that is closed at the end of the test. */
function poolFor(t: TestContext, size: number, poolOptions: ConstructorParameters<typeof ThreadPool>[1]) {
  const pool = new ThreadPool<string, string>(size, poolOptions);
  t.after(() => pool.close());
  return pool;
}

const isUnavailable = (message: RegExp) => (error: unknown) =>
  error instanceof Unavailable && message.test(String(error.cause));

describe('Thread', () => {
  let thread: Thread<string, string>;

  beforeEach(() => {
    thread = new Thread(options);
  });
  afterEach(() => thread.close());

  it('handles calls, even after one has thrown', async () => {
    assert.equal(await thread.call('a'), 'a!');
    await assert.rejects(thread.call('throw'), { message: 'thrown', cause: new Error('the cause') });
    await assert.rejects(thread.call('throw a function'), { message: 'thrown' });
    assert.equal(await thread.call('b'), 'b!');
  });

  it('fails the call that killed it, and is replaced', async () => {
    await assert.rejects(thread.call('exit'), isUnavailable(/ended with 3/));
    assert.equal(await thread.call('a'), 'a!');
    await assert.rejects(thread.call('crash'), isUnavailable(/crashed/));
    assert.equal(await thread.call('b'), 'b!');
  });

  it('fails running calls when it is closed, and all later ones', async () => {
    await thread.start();
    const hanging = assert.rejects(thread.call('hang'), isUnavailable(/closed/));
    await thread.close();
    await hanging;
    await assert.rejects(thread.call('a'), isUnavailable(/closed/));
  });

  it('reports why it cannot start', async () => {
    const broken = new Thread<string, string>({ ...options, data: 'broken' });
    await assert.rejects(broken.start(), { message: 'broken from the start' });
    await assert.rejects(broken.call('a'), isUnavailable(/broken from the start/));
  });
});

describe('ThreadPool', () => {
  it('is ready with its first thread, and uses the others as they become ready', async (t) => {
    const pool = poolFor(t, 3, options);
    assert.equal(await pool.start(), 'ready');
    pool.startOthers(assert.ifError);
    const together = await Promise.all(['a', 'b', 'c'].map((call) => pool.call(call, [])));
    assert.deepEqual(together, ['a!', 'b!', 'c!']);
  });

  it('reports why its first thread cannot start', async (t) => {
    const broken = poolFor(t, 2, { ...options, data: 'broken' });
    await assert.rejects(broken.start(), { message: 'broken from the start' });
  });

  it('works without a thread that cannot start, and reports why', async (t) => {
    const pool = poolFor(t, 2, { ...options, data: new SharedArrayBuffer(4) });
    const { promise: failure, resolve } = Promise.withResolvers<unknown>();
    await pool.start();
    pool.startOthers(resolve);
    assert.equal(((await failure) as Error).message, 'no room for another');
    const together = await Promise.all(['a', 'b', 'c'].map((call) => pool.call(call, [])));
    assert.deepEqual(together, ['a!', 'b!', 'c!']);
  });

  it('retries a thread that cannot start', async (t) => {
    const pool = poolFor(t, 2, {
      ...options,
      data: new SharedArrayBuffer(4),
      startAgainMs: 10,
    });
    const failures: unknown[] = [];
    await pool.start();
    pool.startOthers((reason) => failures.push(reason));
    // One hangs, so the other has to handle it.
    const hanging = assert.rejects(pool.call('hang', []), isUnavailable(/closed/));
    assert.equal(await pool.call('a', []), 'a!');
    assert.equal(failures.length, 1);
    await pool.close();
    await hanging;
  });

  it('handles all calls while one of its threads is dead and cannot start, and uses it again later', async (t) => {
    let mayStart = true;
    let starts = 0;
    const pool = poolFor(t, 3, {
      ...options,
      startAgainMs: 10,
      mayStart: async () => {
        if (!mayStart) throw new Error('too little memory');
        starts += 1;
      },
    });
    const reported = Promise.withResolvers<unknown>();
    await pool.start();
    pool.startOthers(reported.resolve);
    const seen = new Set<string>();
    await eventually(async () => seen.add(await pool.call('thread', [])).size === 3);
    mayStart = false;
    await assert.rejects(pool.call('exit', []), isUnavailable(/ended with 3/));
    for (let i = 0; i < 20; i++) assert.equal(await pool.call(`${i}`, []), `${i}!`);
    assert.equal(((await reported.promise) as Error).message, 'too little memory');
    await pool.ready();
    mayStart = true;
    await eventually(() => starts === 4);
    // Two hang, so the third has to handle it.
    const hanging = [1, 2].map(() => assert.rejects(pool.call('hang', []), isUnavailable(/closed/)));
    assert.equal(await pool.call('a', []), 'a!');
    await pool.close();
    await Promise.all(hanging);
  });

  it('fails calls while none of its threads can start, and handles them as soon as one can', async (t) => {
    let mayStart = true;
    const pool = poolFor(t, 2, {
      ...options,
      mayStart: async () => {
        if (!mayStart) throw new Error('too little memory');
      },
    });
    await pool.start();
    pool.startOthers(() => {});
    const seen = new Set<string>();
    await eventually(async () => seen.add(await pool.call('thread', [])).size === 2);
    mayStart = false;
    await Promise.allSettled(['exit', 'exit'].map((call) => pool.call(call, [])));
    const calls = ['a', 'b', 'c', 'd'].map((call) => pool.call(call, []));
    for (const call of calls) await assert.rejects(call, isUnavailable(/too little memory/));
    await assert.rejects(pool.ready(), /too little memory/);
    mayStart = true;
    assert.equal(await pool.call('a', []), 'a!');
  });

  it('closes while threads start', async (t) => {
    const pool = poolFor(t, 4, options);
    await pool.start();
    pool.startOthers(assert.ifError);
    await pool.close();
    await assert.rejects(pool.call('a', []), isUnavailable(/closed/));
  });

  it('handles more calls than it has threads, even if some kill their thread', async (t) => {
    const pool = poolFor(t, 2, options);
    await pool.start();
    pool.startOthers(assert.ifError);
    const calls = ['a', 'exit', 'b', 'throw', 'c', 'exit', 'd'];
    const outcomes = await Promise.allSettled(calls.map((call) => pool.call(call, [])));
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : '')),
      ['a!', '', 'b!', '', 'c!', '', 'd!'],
    );
  });
});
