import { type Kysely, sql } from 'kysely';
import { audited, writeEntry } from '../database/audit.ts';
import { rowsPerStep } from '../database/housekeeping.ts';
import type { DatabaseKind } from '../database/migrations/database-kind.ts';
import type { Database } from '../database/schema.ts';
import { lockOrganization } from '../database/transactions.ts';
import { invalidField, notFound, ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { excerpt } from '../lib/harmless.ts';
import { prefixedId } from '../lib/ids.ts';
import {
  type FileBounds,
  type FileQuery,
  mebibytes,
  type NewFile,
  type Piece,
  type PieceStore,
  type StoredFile,
  type Written,
} from './file.ts';

export type Files = ReturnType<typeof filesIn>;

/** The files of organizations, without their bytes. */
export const filesIn = (db: Kysely<Database>, databaseKind: DatabaseKind, clock: Clock) => ({
  /**
   * Records that a piece is about to be stored, so that it is counted, and found and deleted if no file ever has it.
   * Throws `not_found`, and `payload_too_large` if the organization would store more than it may.
   */
  async plan(orgId: string, { pieceId, storedBytes }: Piece, bounds: FileBounds): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      if (!(await lockOrganization(transaction, databaseKind, orgId))) throw notFound('No such organization');
      await requireRoom(transaction, orgId, { storedBytes }, bounds);
      const createdAt = clock.now();
      const piece = { pieceId, orgId, createdAt, fileId: null, position: 0, bytes: 0, storedBytes };
      await transaction.insertInto('file_pieces').values(piece).execute();
    });
  },

  /**
   * Makes a file of pieces, which were planned. Throws `not_found`, and `rate_limit_exceeded` if the organization has as
   * many files as it may have.
   */
  async create(
    { expiresAfterMs, ...given }: NewFile,
    { pieces, bytes, lines }: Written,
    bounds: FileBounds,
  ): Promise<StoredFile> {
    const createdAt = clock.now();
    const file: StoredFile = {
      ...given,
      fileId: prefixedId('file-'),
      content: 'bytes',
      status: 'ready',
      bytes,
      storedBytes: pieces.reduce((sum, piece) => sum + piece.storedBytes, 0),
      lines,
      createdAt,
      expiresAt: createdAt + expiresAfterMs,
    };
    await db.transaction().execute(async (transaction) => {
      if (!(await lockOrganization(transaction, databaseKind, file.orgId)))
        throw notFound('No such organization');
      await requireRoom(transaction, file.orgId, { files: 1 }, bounds);
      await transaction.insertInto('files').values(file).execute();
      for (const piece of pieces) await givePiece(transaction, file.fileId, piece);
      await writeEntry(transaction, 'file.create', { after: file });
    });
    return file;
  },

  /** Throws `not_found`. */
  get: (orgId: string, fileId: string): Promise<StoredFile> => requireFile(db, orgId, fileId),

  /**
   * Lists the files that are ready. Throws `invalid_request` if the page begins after what can't be a file. It may be one
   * that was deleted.
   */
  async list(orgId: string, { purpose, after, limit, isDescending }: FileQuery): Promise<StoredFile[]> {
    if (after !== undefined && !/^file-./.test(after))
      throw invalidField('after', 'after must be the id of a file, such as last_id of the page before');
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

  /** Throws `payload_too_large` unless the organization can store something more. */
  requireRoom: (orgId: string, bounds: FileBounds): Promise<void> =>
    requireRoom(db, orgId, { storedBytes: 1 }, bounds),

  /** Returns the pieces of a file in order. */
  pieces: (fileId: string): Promise<Piece[]> => readPieces(db, fileId),

  /** Returns the pieces, which no file has any more. Throws `not_found`, and `invalid_request` while a batch reads the file. */
  delete(orgId: string, fileId: string): Promise<Piece[]> {
    return db.transaction().execute(async (transaction) => {
      await lockOrganization(transaction, databaseKind, orgId);
      const pieces = await readPieces(transaction, fileId);
      const deletion = transaction
        .deleteFrom('files')
        .where((eb) => eb.and({ orgId, fileId, status: 'ready' }))
        .where('fileId', 'not in', filesBeingRead(transaction));
      if ((await audited(transaction, 'file.delete', deletion.returningAll())).length > 0) return pieces;
      await requireFile(transaction, orgId, fileId);
      throw invalidField('file_id', 'A batch that has not ended reads this file. Cancel the batch first');
    });
  },

  /** Deletes some files that have expired. Returns whether there may be more. */
  async deleteExpired(nowMs: number): Promise<boolean> {
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

  /** Returns some pieces that a file had, or that were planned before a time and that no file ever had. */
  async abandoned(plannedBeforeMs: number): Promise<string[]> {
    const rows = await db
      .selectFrom('file_pieces')
      .select('pieceId')
      .where('fileId', 'is', null)
      .where('createdAt', '<', plannedBeforeMs)
      .limit(rowsPerStep)
      .execute();
    return rows.map(({ pieceId }) => pieceId);
  },

  /** Forgets pieces whose bytes are deleted. */
  async forget(pieceIds: readonly string[]): Promise<void> {
    if (pieceIds.length === 0) return;
    await db.deleteFrom('file_pieces').where('pieceId', 'in', pieceIds).execute();
  },
});

/** Throws `not_found`. */
export async function requireFile(db: Kysely<Database>, orgId: string, fileId: string): Promise<StoredFile> {
  const file = await db
    .selectFrom('files')
    .selectAll()
    .where((eb) => eb.and({ orgId, fileId, status: 'ready' }))
    .executeTakeFirst();
  if (!file) throw new ServiceError('not_found', `No such file: ${excerpt(fileId)}`, { param: 'file_id' });
  return file;
}

const readPieces = (db: Kysely<Database>, fileId: string): Promise<Piece[]> =>
  db
    .selectFrom('file_pieces')
    .select(['pieceId', 'position', 'bytes', 'storedBytes'])
    .where('fileId', '=', fileId)
    .orderBy('position')
    .execute();

/**
 * Throws `payload_too_large` if an organization may not store `storedBytes` more, and `rate_limit_exceeded` if it may
 * not have as many more files.
 */
export async function requireRoom(
  db: Kysely<Database>,
  orgId: string,
  { files, storedBytes }: { readonly files?: number; readonly storedBytes?: number },
  { maxFiles, maxStoredBytes }: FileBounds,
): Promise<void> {
  const held = await filesHeldBy(db, orgId);
  if (storedBytes !== undefined && held.storedBytes + storedBytes > maxStoredBytes)
    throw new ServiceError(
      'payload_too_large',
      `The files of this organization would take more than ${mebibytes(maxStoredBytes)}, which is the ` +
        'maximum. Delete files, or wait until some expire',
    );
  if (files !== undefined && held.files + files > maxFiles)
    throw new ServiceError(
      'rate_limit_exceeded',
      `This organization has ${maxFiles.toLocaleString('en-US')} files, which is the maximum. Delete files, or ` +
        'wait until some expire.',
    );
}

/** The files that batches read. */
const filesBeingRead = (db: Kysely<Database>) =>
  db.selectFrom('batches').select('inputFileId').where('endedAt', 'is', null);

/**
 * What an organization has, with the two files that each batch has as soon as it runs, and with pieces that no file
 * has.
 */
export const filesHeldBy = (
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
