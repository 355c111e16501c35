import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newNotice } from '../../src/alerts/notice.ts';
import type { NewBatch } from '../../src/batches/batch.ts';
import type { NewFile, Piece, StoredFile, Written } from '../../src/files/file.ts';
import { newId, prefixedId } from '../../src/lib/ids.ts';
import type { Stores } from '../../src/service/stores.ts';
import { TestClock } from '../helpers/clock.ts';
import { heldOf, insertBatches, organizationRow } from '../helpers/stored.ts';
import type { OpenStores } from './stores.ts';

const roomy = { maxFiles: 1_000, maxStoredBytes: 1_000_000 };
/** More than a pool has connections. */
const atATime = 24;

const newFile = (orgId: string): NewFile => ({
  orgId,
  filename: 'in.jsonl',
  purpose: 'batch',
  expiresAfterMs: 86_400_000,
});

const pieceOf = (): Piece => ({ pieceId: newId(), position: 0, bytes: 10, storedBytes: 10 });
const writtenIn = (...pieces: Piece[]): Written => ({ pieces, bytes: 10, lines: 1 });

const newBatch = ({ orgId, fileId }: Pick<StoredFile, 'orgId' | 'fileId'>): NewBatch => ({
  orgId,
  senderId: 'key',
  endpoint: '/v1/embeddings',
  inputFileId: fileId,
  metadata: null,
  outputExpiresAfterMs: 1_000,
  completionWindowMs: 86_400_000,
});
const unlimited = { remaining: null, resetsAtMs: null };

/** Returns what became of each, as the API calls it. */
const outcomesOf = async (works: readonly Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(works)).map((one) => (one.status === 'fulfilled' ? 'done' : one.reason.code));
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
    const addFile = (orgId: string, bounds = roomy) =>
      stores.files.create(newFile(orgId), writtenIn(), bounds);
    const addBatch = (input: StoredFile, bounds = roomy) =>
      stores.batches.create(newBatch(input), unlimited, bounds);
    /** The file of an organization that its batches read. */
    const newInput = async () => addFile(await organization());
    const parallel = (work: () => Promise<unknown>) => outcomesOf(Array.from({ length: atATime }, work));

    test('an organization gets no more files than it may have when many come at a time', async () => {
      const orgId = await organization();
      const created = await parallel(() => addFile(orgId, { ...roomy, maxFiles: 3 }));
      assert.deepEqual([countOf(created, 'done'), countOf(created, 'rate_limit_exceeded')], [3, atATime - 3]);
      assert.equal((await heldOf(stores, orgId)).files, 3);
    });

    test('an organization’s pieces take no more than they may when many come at a time', async () => {
      const orgId = await organization();
      const planned = await parallel(() =>
        stores.files.plan(orgId, pieceOf(), { ...roomy, maxStoredBytes: 35 }),
      );
      assert.deepEqual([countOf(planned, 'done'), countOf(planned, 'payload_too_large')], [3, atATime - 3]);
    });

    test('a piece is counted once from before it is stored until it is deleted', async () => {
      const orgId = await organization();
      const piece = pieceOf();
      await stores.files.plan(orgId, piece, roomy);
      const held = async () => (await heldOf(stores, orgId)).storedBytes;
      assert.equal(await held(), piece.storedBytes);
      const { fileId } = await stores.files.create(newFile(orgId), writtenIn(piece), roomy);
      assert.equal(await held(), piece.storedBytes);
      assert.deepEqual(await stores.files.delete(orgId, fileId), [piece]);
      assert.equal(await held(), piece.storedBytes);
      await stores.files.forget([piece.pieceId]);
      assert.equal(await held(), 0);
    });

    test('no more batches are open than may be when many come at a time', async () => {
      const input = await newInput();
      for (let i = 0; i < 97; i += 1) await addBatch(input);
      const created = await parallel(() => addBatch(input));
      assert.deepEqual([countOf(created, 'done'), countOf(created, 'rate_limit_exceeded')], [3, atATime - 3]);
    });

    test('batches open at the same time leave room for the files of their results', async () => {
      const input = await newInput();
      const created = await parallel(() => addBatch(input, { ...roomy, maxFiles: 7 }));
      assert.deepEqual([countOf(created, 'done'), countOf(created, 'rate_limit_exceeded')], [3, atATime - 3]);
    });

    test('files leave room for the results of open batches', async () => {
      const input = await newInput();
      await addBatch(input);
      const created = await parallel(() => addFile(input.orgId, { ...roomy, maxFiles: 5 }));
      assert.equal(countOf(created, 'done'), 2);
    });

    test('a file is deleted, or a batch reads it', async () => {
      for (let i = 0; i < 10; i += 1) {
        const input = await newInput();
        const [deleted, created] = await outcomesOf([
          stores.files.delete(input.orgId, input.fileId),
          addBatch(input),
        ]);
        if (deleted === 'done') assert.equal(created, 'not_found');
        else assert.deepEqual([deleted, created], ['invalid_request', 'done']);
      }
    });

    test('only the newest batches that have ended are kept', async () => {
      const input = await newInput();
      const { orgId } = input;
      const open = await addBatch(input);
      const ended = Array.from({ length: 1_001 }, (_, i) => ({
        ...open,
        batchId: `batch_z${String(i).padStart(4, '0')}`,
        endedAt: 5,
      }));
      await insertBatches(stores, ended);
      const newest = await addBatch(input);
      const listed = await stores.batches.list(orgId, { after: ended[2]!.batchId, limit: 10 });
      assert.deepEqual(listed, [ended[1], newest, open]);
    });

    test('an organization that is gone gets nothing', async () => {
      const { files, batches } = stores;
      const gone = { orgId: 'gone', fileId: 'file-1' };
      const works = [
        files.plan('gone', pieceOf(), roomy),
        addFile('gone'),
        batches.create(newBatch(gone), unlimited, roomy),
      ];
      assert.deepEqual(await outcomesOf(works), ['not_found', 'not_found', 'not_found']);
    });

    test('a batch ends with the files that have a line, and only for the process that has it', async () => {
      const { orgId, batchId } = await addBatch(await newInput());
      const claimed = (await stores.batches.claim(batchId, 'runner', 1_000))!;
      const ids = { outputFileId: prefixedId('file-'), errorFileId: prefixedId('file-') };
      const files = Object.values(ids).map((fileId) => ({ fileId, filename: 'out.jsonl', createdAt: 1 }));
      assert.ok(
        await stores.batches.begin(claimed, 'runner', { status: 'in_progress', total: 1, ...ids }, files),
      );
      const begun = { ...claimed, status: 'in_progress', ...ids } as const;
      const output = pieceOf();
      await stores.files.plan(orgId, output, roomy);
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
      await assert.rejects(stores.files.get(orgId, outputFileId), { code: 'not_found' });
      assert.equal(await end('runner'), true);
      assert.equal(await stores.batches.claim(batchId, 'another', 1_000), undefined);
      assert.equal((await stores.files.get(orgId, outputFileId)).expiresAt, 1_005);
      await assert.rejects(stores.files.get(orgId, errorFileId), { code: 'not_found' });
      assert.equal((await heldOf(stores, orgId)).files, 2);
      assert.deepEqual(await stores.batches.get(orgId, batchId), {
        ...begun,
        ...progress,
        ...sums,
        ...change,
        total: 1,
      });
    });
  });
}
