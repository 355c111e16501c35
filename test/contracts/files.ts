import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newNotice } from '../../src/alerts/notice.ts';
import type { Batch } from '../../src/batches/batch.ts';
import type { Piece, StoredFile } from '../../src/files/file.ts';
import { newId, prefixedId } from '../../src/lib/ids.ts';
import type { Stores } from '../../src/store/stores.ts';
import { TestClock } from '../helpers/clock.ts';
import { organizationRow } from '../helpers/stored.ts';
import type { OpenStores } from './stores.ts';

const farMs = Date.parse('2027-01-01T00:00:00Z');
const maxFiles = 1_000;
const maxStoredBytes = 1_000_000;
/** More than a pool has connections. */
const atATime = 24;

const fileOf = (orgId: string, change: Partial<StoredFile> = {}): StoredFile => ({
  fileId: prefixedId('file-'),
  orgId,
  filename: 'in.jsonl',
  purpose: 'batch',
  content: 'bytes',
  status: 'ready',
  bytes: 10,
  storedBytes: 10,
  lines: 1,
  createdAt: 1,
  expiresAt: farMs,
  ...change,
});

const pieceOf = (): Piece => ({ pieceId: newId(), position: 0, bytes: 10, storedBytes: 10 });

const batchOf = (orgId: string): Batch => ({
  batchId: prefixedId('batch_'),
  orgId,
  senderId: 'key',
  endpoint: '/v1/embeddings',
  model: null,
  fingerprint: null,
  inputFileId: `input of ${orgId}`,
  inputFilename: 'input.jsonl',
  outputFileId: null,
  errorFileId: null,
  outputExpiresAfterMs: 1_000,
  status: 'validating',
  metadata: null,
  errors: [],
  times: {},
  quota: { requests: 1, remaining: null, fits: true, resetsAtMs: null },
  total: 0,
  completed: 0,
  failed: 0,
  cached: 0,
  texts: 0,
  tokens: 0,
  cachedTokens: 0,
  nextLine: 0,
  nextByte: 0,
  createdAt: 1,
  expiresAt: farMs,
  endedAt: null,
  waitsFor: null,
});

const countOf = <T>(all: readonly T[], one: T): number => all.filter((each) => each === one).length;

/** What every database guarantees about files and batches. */
export function filesContract(name: string, open: OpenStores): void {
  describe(`files and batches on ${name}`, () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    let stores: Stores;
    let orgs = 0;
    before(async () => {
      stores = await open(clock);
    });
    after(() => stores.close());

    const organization = async (): Promise<string> => {
      const orgId = `org ${++orgs}`;
      await stores.organizations.insert(organizationRow(orgId));
      return orgId;
    };
    /** An organization with the file that its batches read. */
    const withInput = async (): Promise<string> => {
      const orgId = await organization();
      await stores.files.insert(fileOf(orgId, { fileId: batchOf(orgId).inputFileId }), [], maxFiles);
      return orgId;
    };
    const parallel = <T>(insert: () => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: atATime }, insert));

    const few = { maxStoredBytes, maxOpen: 10, maxKept: 10, maxFiles: 100 };

    test('an organization gets no more files than it may have when many come at a time', async () => {
      const orgId = await organization();
      const inserted = await parallel(() => stores.files.insert(fileOf(orgId), [], 3));
      assert.deepEqual([countOf(inserted, 'done'), countOf(inserted, 'too many')], [3, atATime - 3]);
      assert.equal((await stores.files.held(orgId)).files, 3);
    });

    test('an organization’s pieces take no more than they may when many come at a time', async () => {
      const orgId = await organization();
      const planned = await parallel(() => stores.files.plan(orgId, pieceOf(), 1, 35));
      assert.deepEqual([countOf(planned, 'done'), countOf(planned, 'too large')], [3, atATime - 3]);
    });

    test('a piece is counted once from before it is stored until it is deleted', async () => {
      const orgId = await organization();
      const [file, piece] = [fileOf(orgId), pieceOf()];
      const steps = [
        () => stores.files.plan(orgId, piece, 1, maxStoredBytes),
        () => stores.files.insert(file, [piece], maxFiles),
        () => stores.files.delete(orgId, file.fileId),
      ];
      for (const step of steps) {
        await step();
        assert.equal((await stores.files.held(orgId)).storedBytes, piece.storedBytes);
      }
      await stores.files.forget([piece.pieceId]);
      assert.equal((await stores.files.held(orgId)).storedBytes, 0);
    });

    test('no more batches are open than may be when many come at a time', async () => {
      const orgId = await withInput();
      const batches = await parallel(() => stores.batches.insert(batchOf(orgId), { ...few, maxOpen: 3 }));
      assert.deepEqual([countOf(batches, 'done'), countOf(batches, 'too many')], [3, atATime - 3]);
    });

    test('batches open at the same time leave room for the files of their results', async () => {
      const orgId = await withInput();
      const batches = await parallel(() => stores.batches.insert(batchOf(orgId), { ...few, maxFiles: 7 }));
      assert.deepEqual([countOf(batches, 'done'), countOf(batches, 'too many files')], [3, atATime - 3]);
    });

    test('files leave room for the results of open batches', async () => {
      const orgId = await withInput();
      await stores.batches.insert(batchOf(orgId), few);
      const inserted = await parallel(() => stores.files.insert(fileOf(orgId), [], 5));
      assert.equal(countOf(inserted, 'done'), 2);
    });

    test('a file is deleted, or a batch reads it', async () => {
      for (let i = 0; i < 10; i += 1) {
        const orgId = await withInput();
        const batch = batchOf(orgId);
        const [isDeleted, inserted] = await Promise.all([
          stores.files.delete(orgId, batch.inputFileId),
          stores.batches.insert(batch, few),
        ]);
        assert.equal(inserted, isDeleted ? 'no file' : 'done');
      }
    });

    test('only the newest batches that have ended are kept', async () => {
      const orgId = await withInput();
      const batches = Array.from({ length: 5 }, () => batchOf(orgId));
      for (const [i, batch] of batches.entries()) {
        await stores.batches.insert(batch, { ...few, maxKept: 2 });
        const { batchId } = batch;
        // The first one goes on.
        if (i === 0) continue;
        const claimed = (await stores.batches.claim(batchId, 'runner', 1_000))!;
        const notice = newNotice('batch.failed', { org_id: orgId }, 5);
        const end = { status: 'failed', endedAt: 5 } as const;
        assert.ok(await stores.batches.end(claimed, 'runner', end, notice));
        assert.equal(await stores.batches.claim(batchId, 'another', 1_000), undefined);
      }
      await stores.batches.insert(batchOf(orgId), { ...few, maxKept: 2 });
      const found = await stores.batches.list(orgId, { after: undefined, limit: 10 });
      const expected = [batches[4], batches[3], batches[0]].map((batch) => batch?.batchId);
      assert.deepEqual(
        found.slice(1).map(({ batchId }) => batchId),
        expected,
      );
    });

    test('an organization that is gone gets nothing', async () => {
      assert.equal(await stores.files.plan('gone', pieceOf(), 1, maxStoredBytes), 'no organization');
      assert.equal(await stores.files.insert(fileOf('gone'), [], maxFiles), 'no organization');
      assert.equal(await stores.batches.insert(batchOf('gone'), few), 'no organization');
    });

    test('a batch ends with the files that have a line, and only for the process that has it', async () => {
      const orgId = await withInput();
      const batch = batchOf(orgId);
      const { batchId } = batch;
      await stores.batches.insert(batch, few);
      const claimed = (await stores.batches.claim(batchId, 'runner', 1_000))!;
      const ids = { outputFileId: prefixedId('file-'), errorFileId: prefixedId('file-') };
      const files = Object.values(ids).map((fileId) => ({ fileId, filename: 'out.jsonl', createdAt: 1 }));
      assert.ok(
        await stores.batches.begin(claimed, 'runner', { status: 'in_progress', total: 1, ...ids }, files),
      );
      const begun = { ...claimed, status: 'in_progress', ...ids } as const;
      const output = pieceOf();
      await stores.files.plan(orgId, output, 1, maxStoredBytes);
      const progress = { nextLine: 1, nextByte: 9, completed: 1, failed: 0, cached: 0 };
      const sums = { texts: 1, tokens: 1, cachedTokens: 0 };
      assert.ok(
        await stores.batches.commit(begun, 'runner', { ...progress, ...sums, output, errors: undefined }),
      );
      const change = { status: 'completed', endedAt: 5, errorFileId: null } as const;
      const end = (runner: string) =>
        stores.batches.end(begun, runner, change, newNotice('batch.completed', { org_id: orgId }, 5));
      const { outputFileId, errorFileId } = ids;
      assert.equal(await end('another'), false);
      assert.equal(await stores.files.find(orgId, outputFileId), undefined);
      assert.equal(await end('runner'), true);
      assert.equal((await stores.files.find(orgId, outputFileId))?.expiresAt, 1_005);
      assert.equal(await stores.files.find(orgId, errorFileId), undefined);
      assert.equal((await stores.files.held(orgId)).files, 2);
      assert.deepEqual(await stores.batches.find(orgId, batchId), {
        ...begun,
        ...progress,
        ...sums,
        ...change,
        total: 1,
      });
    });
  });
}
