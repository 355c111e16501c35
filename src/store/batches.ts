import { type Kysely, sql, type UpdateObject } from 'kysely';
import type { Batch, BatchChange, BatchStatus, BatchStore } from '../batches/batch.ts';
import type { Piece, StoredFile } from '../files/file.ts';
import { auditedAny, writeEntry } from './audit.ts';
import { notifyAll } from './deliveries.ts';
import { givePiece, heldBy } from './files.ts';
import { deleteSome } from './housekeeping.ts';
import type { Dialect } from './migrations/dialect.ts';
import type { BatchRow, Database } from './schema.ts';
import { changesAny, type DatabaseTime } from './sql.ts';
import { lockOrganization } from './transactions.ts';

const dueAtATime = 64;
/** Longer than any lease or wait. */
const farAheadMs = 60_000;

export function batchStore(db: Kysely<Database>, dialect: Dialect, time: DatabaseTime): BatchStore {
  const until = (forMs: number) => sql<number>`${time()} + CAST(${forMs} AS BIGINT)`;
  // A time far ahead is from a clock that was set back since.
  const isPast = (column: string) =>
    sql<boolean>`(${sql.ref(column)} <= ${time()} OR ${sql.ref(column)} > ${until(farAheadMs)})`;
  const isFree = () => isPast('leaseUntil');
  return {
    insert(batch, { maxOpen, maxKept, maxFiles, maxStoredBytes }) {
      const { orgId } = batch;
      return db.transaction().execute(async (transaction) => {
        if (!(await lockOrganization(transaction, dialect, orgId))) return 'no organization';
        const { open } = await transaction
          .selectFrom('batches')
          .select(sql<number>`count(*)`.as('open'))
          .where('orgId', '=', orgId)
          .where('endedAt', 'is', null)
          .executeTakeFirstOrThrow();
        if (open >= maxOpen) return 'too many';
        const { files, storedBytes } = await heldBy(transaction, orgId);
        if (storedBytes >= maxStoredBytes) return 'too large';
        if (files + 2 > maxFiles) return 'too many files';
        const { inputFileId: fileId } = batch;
        const input = transaction
          .selectFrom('files')
          .select('fileId')
          .where((eb) => eb.and({ orgId, fileId, status: 'ready' }));
        if (!(await input.executeTakeFirst())) return 'no file';
        const isBeyond = sql<boolean>`org_id = ${orgId} AND ended_at IS NOT NULL AND batch_id <=
          (SELECT batch_id FROM batches WHERE org_id = ${orgId} AND ended_at IS NOT NULL
            ORDER BY batch_id DESC LIMIT 1 OFFSET ${sql.lit(maxKept)})`;
        await transaction.deleteFrom('batches').where(isBeyond).execute();
        const free = { runner: null, leaseUntil: 0, waitUntil: 0, servedAt: batch.createdAt };
        await transaction
          .insertInto('batches')
          .values({ ...toRow(batch), ...free } as BatchRow)
          .execute();
        await writeEntry(transaction, 'batch.create', { after: batch });
        return 'done';
      });
    },

    async find(orgId, batchId) {
      const row = await db
        .selectFrom('batches')
        .selectAll()
        .where((eb) => eb.and({ orgId, batchId }))
        .executeTakeFirst();
      return row && toBatch(row);
    },

    async list(orgId, { after, limit }) {
      let query = db.selectFrom('batches').selectAll().where('orgId', '=', orgId);
      if (after !== undefined) query = query.where('batchId', '<', after);
      return (await query.orderBy('batchId', 'desc').limit(limit).execute()).map(toBatch);
    },

    async isRead(orgId, inputFileId) {
      const row = await db
        .selectFrom('batches')
        .select('batchId')
        .where((eb) => eb.and({ orgId, inputFileId }))
        .where('endedAt', 'is', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    async cancel(orgId, batchId, nowMs) {
      for (;;) {
        const row = await db
          .selectFrom('batches')
          .select(['status', 'times'])
          .where((eb) => eb.and({ orgId, batchId }))
          .executeTakeFirst();
        if (!row || !['validating', 'in_progress'].includes(row.status)) return false;
        const times = JSON.stringify({ ...JSON.parse(row.times), cancelling: nowMs });
        const isChanged = await auditedAny(db, 'batch.cancel', (transaction) =>
          transaction
            .updateTable('batches')
            .set({ status: 'cancelling', times, waitUntil: 0 })
            // Otherwise the runner has changed it meanwhile.
            .where((eb) => eb.and({ batchId, ...row }))
            .returningAll(),
        );
        if (isChanged) return true;
      }
    },

    due(besides) {
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

    async claim(batchId, runner, forMs) {
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

    async renew(batchId, runner, forMs) {
      const row = await db
        .updateTable('batches')
        .set({ leaseUntil: until(forMs) })
        .where((eb) => eb.and({ batchId, runner }))
        .returning('status')
        .executeTakeFirst();
      return row?.status;
    },

    async release(batchId, runner, { ms, reason }) {
      await db
        .updateTable('batches')
        .set({ runner: null, leaseUntil: 0, waitUntil: ms === 0 ? 0 : until(ms), waitsFor: reason })
        .where((eb) => eb.and({ batchId, runner }))
        .execute();
    },

    change: (batchId, runner, from, change) => changeBatch(db, batchId, runner, from, change),

    end(batch, runner, change, notice) {
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

    begin({ batchId, orgId, status }, runner, change, files) {
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

    commit(batch, runner, { output, errors, ...progress }) {
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

    prune: (endedBeforeMs) => deleteSome(db, 'batches', 'batchId', sql`ended_at < ${endedBeforeMs}`),
  };
}

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
