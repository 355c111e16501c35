import { type Kysely, sql } from 'kysely';
import { ServiceError } from '../errors.ts';
import type { FileStore, Piece, PieceStore, StoredFile } from '../files/file.ts';
import { audited, writeEntry } from './audit.ts';
import { rowsPerStep } from './housekeeping.ts';
import type { Dialect } from './migrations/dialect.ts';
import type { Database } from './schema.ts';
import { lockOrganization } from './transactions.ts';

export function fileStore(db: Kysely<Database>, dialect: Dialect): FileStore {
  return {
    plan(orgId, { pieceId, storedBytes }, createdAt, maxStoredBytes) {
      return db.transaction().execute(async (transaction) => {
        if (!(await lockOrganization(transaction, dialect, orgId))) return 'no organization';
        const held = await heldBy(transaction, orgId);
        if (held.storedBytes + storedBytes > maxStoredBytes) return 'too large';
        const piece = { pieceId, orgId, createdAt, fileId: null, position: 0, bytes: 0, storedBytes };
        await transaction.insertInto('file_pieces').values(piece).execute();
        return 'done';
      });
    },

    insert(file, pieces, maxFiles) {
      return db.transaction().execute(async (transaction) => {
        if (!(await lockOrganization(transaction, dialect, file.orgId))) return 'no organization';
        if ((await heldBy(transaction, file.orgId)).files >= maxFiles) return 'too many';
        await transaction.insertInto('files').values(file).execute();
        for (const piece of pieces) await givePiece(transaction, file.fileId, piece);
        await writeEntry(transaction, 'file.create', { after: file });
        return 'done';
      });
    },

    find: (orgId, fileId) =>
      db
        .selectFrom('files')
        .selectAll()
        .where((eb) => eb.and({ orgId, fileId, status: 'ready' }))
        .executeTakeFirst(),

    list(orgId, { purpose, after, limit, isDescending }) {
      let query = db
        .selectFrom('files')
        .selectAll()
        .where((eb) => eb.and({ orgId, status: 'ready' }));
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

    delete(orgId, fileId) {
      return db.transaction().execute(async (transaction) => {
        await lockOrganization(transaction, dialect, orgId);
        const deletion = transaction
          .deleteFrom('files')
          .where((eb) => eb.and({ orgId, fileId, status: 'ready' }))
          .where('fileId', 'not in', filesBeingRead(transaction));
        return (await audited(transaction, 'file.delete', deletion.returningAll())).length > 0;
      });
    },

    async deleteExpired(nowMs) {
      const expired = db
        .selectFrom('files')
        .select('fileId')
        .where('expiresAt', '<=', nowMs)
        .where('fileId', 'not in', filesBeingRead(db));
      const files = await db
        .deleteFrom('files')
        .where('fileId', 'in', expired.limit(rowsPerStep))
        .executeTakeFirst();
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
  };
}

/** The files that batches read. */
const filesBeingRead = (db: Kysely<Database>) =>
  db.selectFrom('batches').select('inputFileId').where('endedAt', 'is', null);

/**
 * What an organization has, with the two files that each batch has as soon as it runs, and with pieces that no file
 * has.
 */
export const heldBy = (
  db: Kysely<Database>,
  orgId: string,
): Promise<{ files: number; storedBytes: number }> =>
  db
    .selectFrom('files')
    .select([
      sql<number>`count(*) + 2 * (SELECT count(*) FROM batches
        WHERE org_id = ${orgId} AND ended_at IS NULL AND output_file_id IS NULL)`.as('files'),
      sql<number>`CAST(coalesce(sum(stored_bytes), 0) + (SELECT coalesce(sum(stored_bytes), 0) FROM file_pieces
        WHERE org_id = ${orgId} AND file_id IS NULL) AS BIGINT)`.as('storedBytes'),
    ])
    .where('orgId', '=', orgId)
    .executeTakeFirstOrThrow();

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
  if (given.numUpdatedRows === 0n)
    throw new ServiceError('request_timeout', 'The upload took longer than a day');
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
