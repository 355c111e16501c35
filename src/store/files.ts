import { type Kysely, sql } from 'kysely';
import type { FileStore, Piece, PieceStore, StoredFile } from '../files/file.ts';
import { rowsPerStep } from './housekeeping.ts';
import type { Database } from './schema.ts';
import { changesAny } from './sql.ts';
import { unlessDeleted } from './transactions.ts';

export function fileStore(db: Kysely<Database>): FileStore {
  return {
    async plan(pieceId, createdAt) {
      const piece = { pieceId, createdAt, fileId: null, position: 0, bytes: 0, storedBytes: 0 };
      await db.insertInto('file_pieces').values(piece).execute();
    },

    insert(file, pieces, { maxFiles, maxStoredBytes }) {
      const inserted = db.transaction().execute(async (transaction) => {
        const held = await heldBy(transaction, file.orgId);
        if (held.files >= maxFiles) return 'too many';
        if (held.storedBytes + file.storedBytes > maxStoredBytes) return 'too large';
        await transaction.insertInto('files').values(file).execute();
        for (const piece of pieces) await givePiece(transaction, file.fileId, piece);
        return 'done';
      });
      return unlessDeleted(inserted, 'no organization');
    },

    find: (orgId, fileId) =>
      db
        .selectFrom('files')
        .selectAll()
        .where((eb) => eb.and({ orgId, fileId, status: 'ready', uploadId: null }))
        .executeTakeFirst(),

    list(orgId, { purpose, after, limit, isDescending }) {
      let query = db
        .selectFrom('files')
        .selectAll()
        .where((eb) => eb.and({ orgId, status: 'ready' }))
        .where('uploadId', 'is', null);
      if (purpose !== undefined) query = query.where('purpose', '=', purpose as StoredFile['purpose']);
      if (after !== undefined) query = query.where('fileId', isDescending ? '<' : '>', after);
      return query
        .orderBy('fileId', isDescending ? 'desc' : 'asc')
        .limit(limit)
        .execute();
    },

    held: (orgId) => heldBy(db, orgId),

    pieces: (fileId) =>
      db
        .selectFrom('file_pieces')
        .select(['pieceId', 'position', 'bytes', 'storedBytes'])
        .where('fileId', '=', fileId)
        .orderBy('position')
        .execute(),

    async delete(orgId, fileId) {
      return changesAny(db.deleteFrom('files').where((eb) => eb.and({ orgId, fileId, status: 'ready' })));
    },

    async deleteExpired(nowMs) {
      const read = db.selectFrom('batches').select('inputFileId').where('endedAt', 'is', null);
      const expired = db
        .selectFrom('files')
        .select('fileId')
        .where('expiresAt', '<=', nowMs)
        .where('fileId', 'not in', read);
      const files = await db
        .deleteFrom('files')
        .where('fileId', 'in', expired.limit(rowsPerStep))
        .executeTakeFirst();
      await db.deleteFrom('uploads').where('expiresAt', '<=', nowMs).execute();
      return files.numDeletedRows === BigInt(rowsPerStep);
    },

    async abandoned(plannedBeforeMs) {
      const rows = await db
        .selectFrom('file_pieces')
        .select('pieceId')
        .where('fileId', 'is', null)
        .where('createdAt', '<', plannedBeforeMs)
        .limit(rowsPerStep)
        .execute();
      return rows.map(({ pieceId }) => pieceId);
    },

    async forget(pieceIds) {
      if (pieceIds.length === 0) return;
      await db.deleteFrom('file_pieces').where('pieceId', 'in', pieceIds).execute();
    },

    insertUpload(upload, maxPending) {
      const inserted = db.transaction().execute(async (transaction) => {
        const { pending } = await transaction
          .selectFrom('uploads')
          .select(sql<number>`count(*)`.as('pending'))
          .where((eb) => eb.and({ orgId: upload.orgId, status: 'pending' }))
          .executeTakeFirstOrThrow();
        if (Number(pending) >= maxPending) return 'too many';
        await transaction.insertInto('uploads').values(upload).execute();
        return 'done';
      });
      return unlessDeleted(inserted, 'no organization');
    },

    findUpload: (orgId, uploadId) =>
      db
        .selectFrom('uploads')
        .selectAll()
        .where((eb) => eb.and({ orgId, uploadId }))
        .executeTakeFirst(),

    completeUpload({ uploadId }, file, partIds) {
      return db.transaction().execute(async (transaction) => {
        const changed = await transaction
          .updateTable('uploads')
          .set({ status: 'completed', fileId: file.fileId })
          .where((eb) => eb.and({ uploadId, status: 'pending' }))
          .executeTakeFirst();
        if (changed.numUpdatedRows === 0n) return false;
        await transaction.insertInto('files').values(file).execute();
        let offset = 0;
        for (const partId of partIds) {
          const moved = await transaction
            .updateTable('file_pieces')
            .set({ fileId: file.fileId, position: sql<number>`position + CAST(${offset} AS BIGINT)` })
            .where('fileId', '=', partId)
            .executeTakeFirst();
          offset += Number(moved.numUpdatedRows);
        }
        await transaction.deleteFrom('files').where('uploadId', '=', uploadId).execute();
        return true;
      });
    },

    cancelUpload(orgId, uploadId) {
      return db.transaction().execute(async (transaction) => {
        const changed = await transaction
          .updateTable('uploads')
          .set({ status: 'cancelled' })
          .where((eb) => eb.and({ orgId, uploadId, status: 'pending' }))
          .executeTakeFirst();
        if (changed.numUpdatedRows === 0n) return false;
        await transaction.deleteFrom('files').where('uploadId', '=', uploadId).execute();
        return true;
      });
    },

    parts: (uploadId) =>
      db.selectFrom('files').selectAll().where('uploadId', '=', uploadId).orderBy('fileId').execute(),
  };
}

async function heldBy(db: Kysely<Database>, orgId: string): Promise<{ files: number; storedBytes: number }> {
  const { files, storedBytes } = await db
    .selectFrom('files')
    .select([
      sql<number>`count(*)`.as('files'),
      sql<number>`CAST(coalesce(sum(stored_bytes), 0) AS BIGINT)`.as('storedBytes'),
    ])
    .where('orgId', '=', orgId)
    .executeTakeFirstOrThrow();
  return { files: Number(files), storedBytes: Number(storedBytes) };
}

/** Gives a planned piece to a file. */
export async function givePiece(
  db: Kysely<Database>,
  fileId: string,
  { pieceId, ...piece }: Piece,
): Promise<void> {
  const given = await db
    .updateTable('file_pieces')
    .set({ fileId, createdAt: 0, ...piece })
    .where('pieceId', '=', pieceId)
    .executeTakeFirst();
  if (given.numUpdatedRows === 0n) throw new Error(`the piece ${pieceId} is no longer planned`);
}

/** Stores pieces in the database, for installations with replicas and without a bucket. */
export function databasePieces(db: Kysely<Database>): PieceStore {
  return {
    async put(pieceId, data) {
      await db.insertInto('piece_data').values({ pieceId, data }).execute();
    },
    async get(pieceId) {
      const row = await db
        .selectFrom('piece_data')
        .select('data')
        .where('pieceId', '=', pieceId)
        .executeTakeFirst();
      return row?.data;
    },
    async delete(pieceId) {
      await db.deleteFrom('piece_data').where('pieceId', '=', pieceId).execute();
    },
  };
}
