import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ServiceError } from '../../../src/errors.ts';
import { Thread } from '../../../src/lib/threads/thread.ts';
import { ThreadPool } from '../../../src/lib/threads/thread-pool.ts';

const entry = new URL('./fixture-worker.ts', import.meta.url);
const options = { entry, name: 'fixture', data: undefined };

const isUnavailable = (message: RegExp) => (error: unknown) =>
  error instanceof ServiceError && error.code === 'unavailable' && message.test(String(error.cause));

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
  it('is ready with its first thread, and uses the others as they become ready', async () => {
    const pool = new ThreadPool<string, string>(3, options);
    assert.equal(await pool.start(), 'ready');
    pool.startOthers(assert.ifError);
    const together = await Promise.all(['a', 'b', 'c'].map((call) => pool.call(call, [])));
    assert.deepEqual(together, ['a!', 'b!', 'c!']);
    await pool.close();
  });

  it('reports why its first thread cannot start', async () => {
    const broken = new ThreadPool<string, string>(2, { ...options, data: 'broken' });
    await assert.rejects(broken.start(), { message: 'broken from the start' });
    await broken.close();
  });

  it('works without a thread that cannot start, and reports why', async () => {
    const pool = new ThreadPool<string, string>(2, { ...options, data: new SharedArrayBuffer(4) });
    const { promise: failure, resolve } = Promise.withResolvers<unknown>();
    await pool.start();
    pool.startOthers(resolve);
    assert.equal(((await failure) as Error).message, 'no room for another');
    const together = await Promise.all(['a', 'b', 'c'].map((call) => pool.call(call, [])));
    assert.deepEqual(together, ['a!', 'b!', 'c!']);
    await pool.close();
  });

  it('retries a thread that cannot start', async () => {
    const pool = new ThreadPool<string, string>(2, {
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

  it('closes while threads start', async () => {
    const pool = new ThreadPool<string, string>(4, options);
    await pool.start();
    pool.startOthers(assert.ifError);
    await pool.close();
    await assert.rejects(pool.call('a', []), isUnavailable(/closed/));
  });

  it('handles more calls than it has threads, even if some kill their thread', async () => {
    const pool = new ThreadPool<string, string>(2, options);
    await pool.start();
    pool.startOthers(assert.ifError);
    const calls = ['a', 'exit', 'b', 'throw', 'c', 'exit', 'd'];
    const outcomes = await Promise.allSettled(calls.map((call) => pool.call(call, [])));
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : '')),
      ['a!', '', 'b!', '', 'c!', '', 'd!'],
    );
    await pool.close();
  });
});
