import { type Kysely, sql, type UpdateObject } from 'kysely';
import type { NoticeMessage } from '../alerts/notice.ts';
import { notifyAll } from '../alerts/stored-deliveries.ts';
import { audited, writeEntry } from '../database/audit.ts';
import { deleteSome } from '../database/housekeeping.ts';
import type { DatabaseKind } from '../database/migrations/database-kind.ts';
import type { BatchRow, Database } from '../database/schema.ts';
import { changesAny, type DatabaseTime } from '../database/sql.ts';
import { lockOrganization } from '../database/transactions.ts';
import { invalidField, invalidRequest, notFound, ServiceError } from '../errors.ts';
import type { FileBounds, Piece, StoredFile } from '../files/file.ts';
import { givePiece, requireFile, requireRoom } from '../files/stored-files.ts';
import type { Clock } from '../lib/clock.ts';
import { excerpt } from '../lib/harmless.ts';
import { prefixedId } from '../lib/ids.ts';
import type {
  Batch,
  BatchChange,
  BatchEnd,
  BatchStatus,
  Left,
  NewBatch,
  Progress,
  ResultFile,
} from './batch.ts';

const maxOpenBatches = 100;
/** How many batches that have ended an organization's list has. */
const maxKept = 1_000;
const dueAtATime = 64;
/** Longer than any lease or wait. */
const farAheadMs = 60_000;

export type Batches = ReturnType<typeof batchesIn>;

/** The batches of organizations. Leases are in the database's time, which the replicas share. */
export const batchesIn = (
  db: Kysely<Database>,
  databaseKind: DatabaseKind,
  clock: Clock,
  time: DatabaseTime,
) => {
  const until = (forMs: number) => sql<number>`${time()} + CAST(${forMs} AS BIGINT)`;
  // A time far ahead is from a clock that was set back since.
  const isPast = (column: string) =>
    sql<boolean>`(${sql.ref(column)} <= ${time()} OR ${sql.ref(column)} > ${until(farAheadMs)})`;
  const isFree = () => isPast('leaseUntil');
  return {
    /**
     * Creates a batch, and deletes all but the newest of those that have ended. Throws `not_found` for the file,
     * `invalid_request` for one of results, `payload_too_large`, and `rate_limit_exceeded` if too many batches have not
     * ended or there is no room for two more files.
     */
    create(
      { completionWindowMs, ...given }: NewBatch,
      { remaining, resetsAtMs }: Left,
      bounds: FileBounds,
    ): Promise<Batch> {
      const { orgId, inputFileId } = given;
      return db.transaction().execute(async (transaction) => {
        if (!(await lockOrganization(transaction, databaseKind, orgId)))
          throw notFound('No such organization');
        const file = await requireFile(transaction, orgId, inputFileId);
        if (file.purpose !== 'batch')
          throw invalidField('input_file_id', 'input_file_id must name a file with the purpose "batch"');
        const { open } = await transaction
          .selectFrom('batches')
          .select(sql<number>`count(*)`.as('open'))
          .where('orgId', '=', orgId)
          .where('endedAt', 'is', null)
          .executeTakeFirstOrThrow();
        if (open >= maxOpenBatches)
          throw new ServiceError(
            'rate_limit_exceeded',
            `This organization has ${maxOpenBatches} batches that have not ended, which is the maximum. Try again ` +
              'when one has ended.',
          );
        await requireRoom(transaction, orgId, { storedBytes: 1, files: 2 }, bounds);
        const isBeyond = sql<boolean>`org_id = ${orgId} AND ended_at IS NOT NULL AND batch_id <=
          (SELECT batch_id FROM batches WHERE org_id = ${orgId} AND ended_at IS NOT NULL
            ORDER BY batch_id DESC LIMIT 1 OFFSET ${sql.lit(maxKept)})`;
        await transaction.deleteFrom('batches').where(isBeyond).execute();
        const createdAt = clock.now();
        const batch: Batch = {
          ...given,
          batchId: prefixedId('batch_'),
          inputFilename: file.filename,
          model: null,
          fingerprint: null,
          outputFileId: null,
          errorFileId: null,
          status: 'validating',
          errors: [],
          times: {},
          quota: {
            requests: file.lines,
            remaining,
            fits: remaining === null || file.lines <= remaining,
            resetsAtMs,
          },
          total: 0,
          completed: 0,
          failed: 0,
          cached: 0,
          texts: 0,
          tokens: 0,
          cachedTokens: 0,
          nextLine: 0,
          nextByte: 0,
          createdAt,
          expiresAt: createdAt + completionWindowMs,
          endedAt: null,
          waitsFor: null,
        };
        await transaction.insertInto('batches').values(newRow(batch)).execute();
        await writeEntry(transaction, 'batch.create', { after: batch });
        return batch;
      });
    },

    /** Throws `not_found`. */
    async get(orgId: string, batchId: string): Promise<Batch> {
      const row = await findBatch(db, orgId, batchId);
      if (!row) throw noBatch(batchId);
      return toBatch(row);
    },

    /**
     * Lists the newest first. Throws `invalid_request` if the page begins after an unknown batch: a client would get the
     * first page again.
     */
    async list(
      orgId: string,
      { after, limit }: { readonly after: string | undefined; readonly limit: number },
    ): Promise<Batch[]> {
      let query = db.selectFrom('batches').selectAll().where('orgId', '=', orgId);
      if (after !== undefined) {
        if (!(await findBatch(db, orgId, after)))
          throw invalidField('after', 'after must be the id of a batch, such as last_id of the page before');
        query = query.where('batchId', '<', after);
      }
      return (await query.orderBy('batchId', 'desc').limit(limit).execute()).map(toBatch);
    },

    /** Makes a batch `cancelling`. Throws `not_found`, and `invalid_request` for a batch that has ended. */
    async cancel(orgId: string, batchId: string): Promise<Batch> {
      for (;;) {
        const row = await findBatch(db, orgId, batchId);
        if (!row) throw noBatch(batchId);
        const { status, times } = row;
        if (status === 'cancelling') return toBatch(row);
        if (status !== 'validating' && status !== 'in_progress')
          throw invalidRequest(`A batch with the status "${status}" can’t be cancelled`);
        const cancelled = JSON.stringify({ ...JSON.parse(times), cancelling: clock.now() });
        const [changed] = await db.transaction().execute((transaction) =>
          audited(
            transaction,
            'batch.cancel',
            transaction
              .updateTable('batches')
              .set({ status: 'cancelling', times: cancelled, waitUntil: 0 })
              // Otherwise the runner has changed it meanwhile.
              .where((eb) => eb.and({ batchId, status, times }))
              .returningAll(),
          ),
        );
        if (changed) return toBatch(changed);
      }
    },

    /**
     * Returns the batches that are due, at most one per organization and none of `besides`, those that have waited
     * longest first.
     */
    due(besides: readonly string[]): Promise<Pick<Batch, 'batchId' | 'orgId'>[]> {
      let rows = db
        .selectFrom('batches')
        .select(['batchId', 'orgId', 'servedAt'])
        .select(sql<number>`row_number() OVER (PARTITION BY org_id ORDER BY served_at, batch_id)`.as('place'))
        .where('endedAt', 'is', null)
        .where(isFree())
        .where(isPast('waitUntil'));
      if (besides.length > 0) rows = rows.where('orgId', 'not in', besides);
      return db
        .selectFrom(rows.as('waiting'))
        .select(['batchId', 'orgId'])
        .where('place', '=', 1)
        .orderBy('servedAt')
        .limit(dueAtATime)
        .execute();
    },

    /** Takes a batch for `forMs`. Undefined: another process has it. */
    async claim(batchId: string, runner: string, forMs: number): Promise<Batch | undefined> {
      const row = await db
        .updateTable('batches')
        .set({ runner, leaseUntil: until(forMs), servedAt: time(), waitsFor: null })
        .where('batchId', '=', batchId)
        .where('endedAt', 'is', null)
        .where(isFree())
        .where(isPast('waitUntil'))
        .returningAll()
        .executeTakeFirst();
      return row && toBatch(row);
    },

    /** Keeps a batch for `forMs` from now. Returns its status, or undefined if another process has it. */
    async renew(batchId: string, runner: string, forMs: number): Promise<BatchStatus | undefined> {
      const row = await db
        .updateTable('batches')
        .set({ leaseUntil: until(forMs) })
        .where((eb) => eb.and({ batchId, runner }))
        .returning('status')
        .executeTakeFirst();
      return row?.status;
    },

    /** Gives a batch back. Nobody takes it for `ms`. */
    async release(
      batchId: string,
      runner: string,
      { ms, reason }: { readonly ms: number; readonly reason: string | null },
    ): Promise<void> {
      await db
        .updateTable('batches')
        .set({ runner: null, leaseUntil: 0, waitUntil: ms === 0 ? 0 : until(ms), waitsFor: reason })
        .where((eb) => eb.and({ batchId, runner }))
        .execute();
    },

    /** Changes a batch. False: another process has it, or its status is no longer `from`. */
    change: (batchId: string, runner: string, from: BatchStatus, change: BatchChange): Promise<boolean> =>
      changeBatch(db, batchId, runner, from, change),

    /**
     * Changes a batch as `change` does, shows its result files, without those that have no line, and queues a notice to
     * the channels of its organization.
     */
    end(batch: Batch, runner: string, change: BatchEnd, notice: NoticeMessage): Promise<boolean> {
      const { batchId, orgId, status, outputFileId, errorFileId, outputExpiresAfterMs } = batch;
      return db.transaction().execute(async (transaction) => {
        if (!(await changeBatch(transaction, batchId, runner, status, change))) return false;
        const isResult = sql<boolean>`file_id IN (${outputFileId}, ${errorFileId})`;
        await transaction
          .updateTable('files')
          .set({
            status: 'ready',
            createdAt: change.endedAt,
            expiresAt: change.endedAt + outputExpiresAfterMs,
          })
          .where(isResult)
          .execute();
        await transaction.deleteFrom('files').where(isResult).where('lines', '=', 0).execute();
        await notifyAll(transaction, orgId, notice, time());
        return true;
      });
    },

    /**
     * Changes a batch as `change` does, and begins the files that the results go to. They are not visible until `end`.
     */
    begin(
      { batchId, orgId, status }: Batch,
      runner: string,
      change: BatchChange,
      files: readonly ResultFile[],
    ): Promise<boolean> {
      const rows = files.map(
        (file): StoredFile => ({
          ...file,
          orgId,
          purpose: 'batch_output',
          content: 'results',
          status: 'writing',
          bytes: 0,
          storedBytes: 0,
          lines: 0,
          expiresAt: Number.MAX_SAFE_INTEGER,
        }),
      );
      return db.transaction().execute(async (transaction) => {
        if (!(await changeBatch(transaction, batchId, runner, status, change))) return false;
        await transaction.insertInto('files').values(rows).execute();
        return true;
      });
    },

    /**
     * Adds the results of the next lines, all or nothing. False: another process has the batch, or these lines have
     * results already.
     */
    commit(batch: Batch, runner: string, { output, errors, ...progress }: Progress): Promise<boolean> {
      const { batchId, nextLine, outputFileId, errorFileId } = batch;
      const { completed, failed, nextLine: newLine, nextByte, ...sums } = progress;
      return db.transaction().execute(async (transaction) => {
        const added = Object.entries({ completed, failed, ...sums }).map(([name, more]) => [
          name,
          sql<number>`${sql.ref(name)} + CAST(${more} AS BIGINT)`,
        ]);
        const isCurrent = await changesAny(
          transaction
            .updateTable('batches')
            .set({ ...Object.fromEntries(added), nextLine: newLine, nextByte })
            .where((eb) => eb.and({ batchId, runner, nextLine }))
            .where('endedAt', 'is', null),
        );
        if (!isCurrent) return false;
        await addPiece(transaction, outputFileId!, output, completed);
        await addPiece(transaction, errorFileId!, errors, failed);
        return true;
      });
    },

    /** Deletes some batches that ended before a time. Returns whether there may be more. */
    prune: (endedBeforeMs: number): Promise<boolean> =>
      deleteSome(db, 'batches', 'batchId', sql`ended_at < ${endedBeforeMs}`),
  };
};

const findBatch = (db: Kysely<Database>, orgId: string, batchId: string): Promise<BatchRow | undefined> =>
  db
    .selectFrom('batches')
    .selectAll()
    .where((eb) => eb.and({ orgId, batchId }))
    .executeTakeFirst();

const noBatch = (batchId: string): ServiceError => notFound(`No such batch: ${excerpt(batchId)}`);

const changeBatch = (
  db: Kysely<Database>,
  batchId: string,
  runner: string,
  status: BatchStatus,
  change: BatchChange,
): Promise<boolean> =>
  changesAny(
    db
      .updateTable('batches')
      .set(toRow(change))
      .where((eb) => eb.and({ batchId, runner, status })),
  );

async function addPiece(
  db: Kysely<Database>,
  fileId: string,
  piece: Piece | undefined,
  lines: number,
): Promise<void> {
  if (!piece) return;
  await givePiece(db, fileId, piece);
  const plus = (column: string, more: number) => sql<number>`${sql.ref(column)} + CAST(${more} AS BIGINT)`;
  await db
    .updateTable('files')
    .set({
      bytes: plus('bytes', piece.bytes),
      storedBytes: plus('storedBytes', piece.storedBytes),
      lines: plus('lines', lines),
    })
    .where('fileId', '=', fileId)
    .execute();
}

/** The database leaves out what is undefined. */
const toRow = ({
  senderId: keyId,
  metadata,
  errors,
  times,
  quota,
  ...columns
}: BatchChange | Batch): UpdateObject<Database, 'batches'> => ({
  ...columns,
  keyId,
  metadata: JSON.stringify(metadata),
  errors: JSON.stringify(errors),
  times: JSON.stringify(times),
  quota: JSON.stringify(quota),
});

/** The row of a batch that nobody runs. */
export const newRow = (batch: Batch): BatchRow =>
  ({ ...toRow(batch), runner: null, leaseUntil: 0, waitUntil: 0, servedAt: batch.createdAt }) as BatchRow;

function toBatch({ keyId: senderId, ...row }: BatchRow): Batch {
  const { runner: _1, leaseUntil: _2, waitUntil: _3, servedAt: _4, ...columns } = row;
  return {
    ...columns,
    senderId,
    metadata: JSON.parse(row.metadata),
    errors: JSON.parse(row.errors),
    times: JSON.parse(row.times),
    quota: JSON.parse(row.quota),
  };
}
