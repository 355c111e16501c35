import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { PreparedText } from '../../../packages/engine/src/index.ts';
import { chooseBatch } from '../../../src/embeddings/choose-batch.ts';
import { FairQueue } from '../../../src/embeddings/fair-queue.ts';
import { Job } from '../../../src/embeddings/job.ts';

const maxTokens = 256;
const maxLeadTokens = 1_024;
const textOf = (tokenCount: number): PreparedText => ({
  tokenCount,
  fullTokenCount: tokenCount,
  isCut: false,
});

interface Sender {
  readonly id: string;
  readonly weight: number;
  /** The lengths of its texts, in turn. */
  readonly lengths: readonly number[];
}

/** Computes batches in virtual time, one after the other. */
class Computer {
  readonly queue: FairQueue;
  /** The time that each organization got: the tokens and the overhead of its texts. */
  readonly time = new Map<string, number>();
  readonly #overheadTokens: number;
  readonly #sent = new Map<string, number>();
  batches = 0;

  constructor(overheadTokens = 0) {
    this.#overheadTokens = overheadTokens;
    this.queue = new FairQueue({ overheadTokens, patienceMs: 250 });
  }

  send({ id, weight, lengths }: Sender, count: number): Job {
    const sent = this.#sent.get(id) ?? 0;
    this.#sent.set(id, sent + count);
    const texts = Array.from({ length: count }, (_, i) => textOf(lengths[(sent + i) % lengths.length]!));
    const job = new Job(texts, { organization: { id, weight } });
    this.queue.add(job, this.batches);
    return job;
  }

  /** Returns the organizations of the next batch, the first text's first. */
  compute(): string[] {
    const window = this.queue.window(maxLeadTokens);
    if (window.length === 0) return [];
    const bounds = { maxTokens, maxTexts: 64, isPadded: true };
    const timeOf = (tokenCount: number): number => tokenCount + this.#overheadTokens;
    const batch = chooseBatch(window, ({ prepared }) => timeOf(prepared.tokenCount), bounds);
    this.queue.take(batch, this.batches++);
    for (const { job, prepared } of batch) {
      const { id } = job.organization;
      this.time.set(id, (this.time.get(id) ?? 0) + timeOf(prepared.tokenCount));
    }
    return batch.map(({ job }) => job.organization.id);
  }
}

const length = fc.integer({ min: 1, max: 128 });
const sender = fc.record({
  weight: fc.integer({ min: 1, max: 8 }),
  lengths: fc.array(length, { minLength: 1, maxLength: 20 }),
  perRequest: fc.integer({ min: 1, max: 64 }),
});

describe('the fair queue', () => {
  it('gives organizations that always wait time in proportion to their weights, whatever they send', () => {
    const overhead = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(fc.array(sender, { minLength: 2, maxLength: 6 }), overhead, (senders, overheadTokens) => {
        const computer = new Computer(overheadTokens);
        const named = senders.map((each, i) => ({ ...each, id: `organization ${i}` }));
        const jobs = new Map(named.map(({ id }) => [id, [] as Job[]]));
        for (let batch = 0; batch < 1_000; batch++) {
          for (const each of named) {
            const open = jobs.get(each.id)!.filter(({ waiting }) => waiting.size > 0);
            // Always at least as many texts as a batch can have.
            let texts = open.reduce((sum, { waiting }) => sum + waiting.size, 0);
            for (; texts < 64; texts += each.perRequest) open.push(computer.send(each, each.perRequest));
            jobs.set(each.id, open);
          }
          assert.ok(computer.compute().length > 0);
        }
        const served = named.map(({ id, weight }) => computer.time.get(id)! / weight);
        // Start-time fair queueing bounds the difference, however long it runs.
        assert.ok(
          Math.max(...served) - Math.min(...served) <= 2 * (maxLeadTokens + maxTokens),
          `${served} of the weights ${named.map(({ weight }) => weight)}`,
        );
      }),
      { numRuns: 20 },
    );
  });

  it('takes the text of an organization that was idle into the very next batch, beside any number of floods', () => {
    const computer = new Computer();
    for (let flood = 0; flood < 20; flood++) {
      computer.send({ id: `flood ${flood}`, weight: 8, lengths: [128] }, 2_000);
    }
    for (let batch = 0; batch < 500; batch++) computer.compute();
    for (let round = 0; round < 20; round++) {
      computer.send({ id: 'calm', weight: 1, lengths: [5] }, 1);
      assert.equal(computer.compute()[0], 'calm');
      for (let batch = 0; batch < 20; batch++) assert.ok(!computer.compute().includes('calm'));
    }
  });

  it('lets an organization save up nothing while it is idle', () => {
    const computer = new Computer();
    computer.send({ id: 'steady', weight: 1, lengths: [100] }, 4_000);
    for (let batch = 0; batch < 500; batch++) computer.compute();
    computer.send({ id: 'late', weight: 1, lengths: [100] }, 2_000);
    const before = computer.time.get('steady')!;
    for (let batch = 0; batch < 200; batch++) computer.compute();
    const [steady, late] = [computer.time.get('steady')! - before, computer.time.get('late')!];
    assert.ok(Math.abs(steady - late) <= 2 * maxLeadTokens, `${steady} and ${late}`);
  });

  it('remembers that an organization is ahead when it sends again after a moment', () => {
    const computer = new Computer();
    computer.send({ id: 'steady', weight: 1, lengths: [100] }, 4_000);
    const bursts = { id: 'bursts', weight: 1, lengths: [100] };
    // It waits for nothing between two requests of one text, but never has to wait long either.
    for (let batch = 0; batch < 400; batch++) {
      computer.send(bursts, 1);
      computer.compute();
      computer.compute();
    }
    const [steady, inBursts] = [computer.time.get('steady')!, computer.time.get('bursts')!];
    assert.ok(inBursts <= steady, `${inBursts} and ${steady}`);
  });

  it('serves a request that had a turn before those that arrive after its patience, and after earlier ones', () => {
    const queue = new FairQueue({ overheadTokens: 0, patienceMs: 250 });
    const jobOf = (count: number) =>
      new Job(Array<PreparedText>(count).fill(textOf(100)), { organization: { id: 'one', weight: 1 } });
    const [large, early, late] = [jobOf(2), jobOf(1), jobOf(1)];
    queue.add(large, 0);
    queue.take(queue.window(maxLeadTokens).slice(0, 1), 0);
    queue.add(early, 250);
    queue.add(late, 251);
    assert.deepEqual(
      queue.window(maxLeadTokens).map(({ job }) => job),
      [early, large, late],
    );
  });

  it('charges short texts for more than their tokens', () => {
    const computer = new Computer(20);
    computer.send({ id: 'short texts', weight: 1, lengths: [2] }, 20_000);
    computer.send({ id: 'long texts', weight: 8, lengths: [108] }, 20_000);
    for (let batch = 0; batch < 1_000; batch++) computer.compute();
    const ratio = computer.time.get('long texts')! / computer.time.get('short texts')!;
    assert.ok(Math.abs(ratio - 8) < 0.5, `${ratio}`);
  });

  it('combines texts of similar length from all organizations', () => {
    const computer = new Computer();
    computer.send({ id: 'one', weight: 1, lengths: [20, 90] }, 2);
    computer.send({ id: 'two', weight: 1, lengths: [21, 91] }, 2);
    assert.deepEqual(
      [1, 2, 3].map(() => computer.compute()),
      [['one', 'two'], ['one', 'two'], []],
    );
  });

  it('holds nothing of requests that were dropped or computed', () => {
    const computer = new Computer();
    const dropped = computer.send({ id: 'one', weight: 1, lengths: [100] }, 100);
    computer.send({ id: 'two', weight: 1, lengths: [1] }, 3);
    computer.compute();
    computer.queue.remove(dropped);
    while (computer.compute().length > 0);
    assert.deepEqual([computer.queue.waitingTexts, computer.queue.waitingOrganizations], [0, 0]);
  });
});
