import { invalidField, notFound, ServiceError, unavailable } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { InTurn } from '../lib/fair-turns.ts';
import { excerpt } from '../lib/harmless.ts';
import { newId, prefixedId } from '../lib/ids.ts';
import { inSteps } from '../lib/in-steps.ts';
import type {
  FileBounds,
  FileQuery,
  FileStore,
  Inserted,
  Piece,
  PieceStore,
  StoredFile,
  Written,
} from './file.ts';

export interface FilesOptions {
  readonly store: FileStore;
  /** Encrypts what it stores. */
  readonly pieces: PieceStore;
  readonly clock: Clock;
  readonly bounds: FileBounds;
  /** Returns the bytes that readers get for a piece of results. */
  renderResults(piece: Uint8Array, inTurn: InTurn): Promise<Buffer>;
  /** Returns the turns of the event loop in which an organization's files are read and written. */
  turnsOf(orgId: string): InTurn;
}

export type NewFile = Pick<StoredFile, 'orgId' | 'filename' | 'purpose'> & {
  readonly expiresAfterMs: number;
};

/** The bytes of a piece. Memory holds about three pieces of each upload and download. */
export const pieceBytes = 4 << 20;
/** The bytes of the largest file that can be uploaded. */
const maxFileBytes = 512 << 20;
/** An upload that takes longer is refused at its end. Pieces of deleted files don't wait for it. */
const abandonedAfterMs = 86_400_000;

/** Returns a file that is complete. */
function newFile(
  { expiresAfterMs, ...file }: NewFile,
  { pieces, bytes, lines }: Written,
  nowMs: number,
): StoredFile {
  return {
    ...file,
    fileId: prefixedId('file-'),
    content: 'bytes',
    status: 'ready',
    bytes,
    storedBytes: pieces.reduce((sum, piece) => sum + piece.storedBytes, 0),
    lines,
    createdAt: nowMs,
    expiresAt: nowMs + expiresAfterMs,
  };
}

/** The files of organizations: uploaded ones, and those with the results of batches. */
export class Files {
  readonly #store: FileStore;
  readonly #pieces: PieceStore;
  readonly #clock: Clock;
  readonly #renderResults: FilesOptions['renderResults'];
  readonly turnsOf: FilesOptions['turnsOf'];
  readonly bounds: FileBounds;

  constructor({ store, pieces, clock, bounds, renderResults, turnsOf }: FilesOptions) {
    this.#store = store;
    this.#pieces = pieces;
    this.#clock = clock;
    this.bounds = bounds;
    this.#renderResults = renderResults;
    this.turnsOf = turnsOf;
  }

  /**
   * Stores a source in pieces that belong to no file yet. Throws `payload_too_large` for more than a file
   * may have, or than the organization may still store, and `unavailable`.
   */
  async write(orgId: string, source: AsyncIterable<Uint8Array>): Promise<Written> {
    const pieces: Piece[] = [];
    try {
      return await this.#writeTo(pieces, orgId, source);
    } catch (reason) {
      await this.discard({ pieces });
      throw reason;
    }
  }

  /** Deletes pieces that no file will have. What can't be deleted now is deleted within a day. */
  async discard({ pieces }: Pick<Written, 'pieces'>): Promise<void> {
    await this.#deletePieces(pieces.map(({ pieceId }) => pieceId)).catch(() => {});
  }

  async #writeTo(pieces: Piece[], orgId: string, source: AsyncIterable<Uint8Array>): Promise<Written> {
    const lines = new LineCounter();
    let gathered: Uint8Array[] = [];
    let length = 0;
    let bytes = 0;
    const put = async (): Promise<void> => {
      const piece = Buffer.concat(gathered, length);
      gathered = [];
      length = 0;
      const place = { bytes: piece.length, position: pieces.length };
      pieces.push(await this.#put(orgId, piece, place, this.bounds.maxStoredBytes));
    };
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxFileBytes) throw tooLarge();
      lines.add(chunk);
      for (let from = 0; from < chunk.length; ) {
        const part = chunk.subarray(from, from + pieceBytes - length);
        gathered.push(part);
        length += part.length;
        from += part.length;
        if (length === pieceBytes) await put();
      }
    }
    if (length > 0) await put();
    return { pieces, bytes, lines: lines.total };
  }

  /**
   * Stores a piece of results, even if the organization then stores more than it may. `bytes` is what readers get for
   * it. Throws `unavailable`.
   */
  writePiece(orgId: string, content: Uint8Array, bytes: number, position: number): Promise<Piece> {
    return this.#put(orgId, content, { bytes, position }, Number.POSITIVE_INFINITY);
  }

  async #put(
    orgId: string,
    content: Uint8Array,
    place: Pick<Piece, 'bytes' | 'position'>,
    maxStoredBytes: number,
  ): Promise<Piece> {
    await this.#pieces.requireRoom?.();
    const piece = { ...place, pieceId: newId(), storedBytes: content.length };
    // Counted from now on, until a file has it or it is deleted.
    this.require(await this.#store.plan(orgId, piece, this.#clock.now(), maxStoredBytes));
    try {
      // Encrypting it takes milliseconds.
      await this.turnsOf(orgId)(() => this.#pieces.put(piece.pieceId, content));
    } catch (reason) {
      await this.discard({ pieces: [piece] });
      throw unavailable(reason);
    }
    return piece;
  }

  /**
   * Makes a file of pieces. Throws `rate_limit_exceeded` if the organization has as many files as it may have, and
   * `not_found`.
   */
  async create(file: NewFile, written: Written): Promise<StoredFile> {
    const created = newFile(file, written, this.#clock.now());
    const inserted = await this.#store.insert(created, written.pieces, this.bounds.maxFiles);
    if (inserted !== 'done') await this.discard(written);
    this.require(inserted);
    return created;
  }

  /** Throws `not_found`. */
  async get(orgId: string, fileId: string): Promise<StoredFile> {
    const file = await this.#store.find(orgId, fileId);
    if (!file) throw new ServiceError('not_found', `No such file: ${excerpt(fileId)}`, { param: 'file_id' });
    return file;
  }

  /** Throws `invalid_request` if the page begins after what can't be a file. It may be one that was deleted. */
  list(orgId: string, query: FileQuery): Promise<StoredFile[]> {
    if (query.after !== undefined && !/^file-./.test(query.after))
      throw invalidField('after', 'after must be the id of a file, such as last_id of the page before');
    return this.#store.list(orgId, query);
  }

  /** Throws `payload_too_large` or `unavailable` unless the organization, and the disk, can store something more. */
  async requireRoom(orgId: string): Promise<void> {
    await this.#pieces.requireRoom?.();
    const held = await this.#store.held(orgId);
    if (held.storedBytes >= this.bounds.maxStoredBytes) this.require('too large');
  }

  /**
   * Yields the bytes from `start` to before `end`, a piece at a time. Throws `unavailable`, and `not_found` if a
   * piece is gone, or if the file has fewer bytes than `bytes`: it was deleted meanwhile.
   */
  async *read(
    {
      orgId,
      fileId,
      content,
      bytes: all = 0,
    }: Pick<StoredFile, 'orgId' | 'fileId' | 'content'> & Partial<StoredFile>,
    start = 0,
    end = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<Buffer, void> {
    let at = 0;
    for (const { pieceId, bytes } of await this.#store.pieces(fileId)) {
      const from = at;
      at += bytes;
      if (at <= start) continue;
      if (from >= end) return;
      const stored = await this.#pieces.get(pieceId, this.turnsOf(orgId)).catch((reason) => {
        throw unavailable(reason);
      });
      if (!stored) throw notFound('A part of the file is gone, or was encrypted with another AUTH_SECRET');
      const piece =
        content === 'results'
          ? await this.#renderResults(stored, this.turnsOf(orgId))
          : Buffer.from(stored.buffer, stored.byteOffset, stored.length);
      yield piece.subarray(Math.max(0, start - from), Math.min(bytes, end - from));
    }
    if (at < Math.min(end, all)) throw notFound('The file was deleted');
  }

  /** Returns false if a batch reads the file, or if it was deleted meanwhile. Throws `not_found`. */
  async delete(orgId: string, fileId: string): Promise<boolean> {
    await this.get(orgId, fileId);
    const pieces = await this.#store.pieces(fileId);
    const isDeleted = await this.#store.delete(orgId, fileId);
    if (isDeleted) await this.discard({ pieces });
    return isDeleted;
  }

  /** Deletes what has expired, and pieces that no file has. */
  async prune(nowMs: number, signal: AbortSignal): Promise<void> {
    await inSteps(() => this.#store.deleteExpired(nowMs), signal);
    await inSteps(async () => {
      const pieceIds = await this.#store.abandoned(nowMs - abandonedAfterMs);
      await this.#deletePieces(pieceIds);
      return pieceIds.length > 0;
    }, signal);
  }

  async #deletePieces(pieceIds: readonly string[]): Promise<void> {
    for (const pieceId of pieceIds) await this.#pieces.delete(pieceId);
    await this.#store.forget(pieceIds);
  }

  /** Throws what clients get for an insertion that was refused. */
  require(inserted: Inserted): void {
    if (inserted === 'done') return;
    if (inserted === 'no organization') throw notFound('No such organization');
    const { maxFiles, maxStoredBytes } = this.bounds;
    if (inserted === 'too large')
      throw new ServiceError(
        'payload_too_large',
        `The files of this organization would take more than ${mebibytes(maxStoredBytes)}, which is the ` +
          'maximum. Delete files, or wait until some expire',
      );
    throw new ServiceError(
      'rate_limit_exceeded',
      `This organization has ${maxFiles.toLocaleString('en-US')} files, which is the maximum. Delete files, or ` +
        'wait until some expire.',
    );
  }
}

/** Counts the lines of a text that arrives in chunks, except those without any byte. */
class LineCounter {
  #lines = 0;
  #isInLine = false;

  get total(): number {
    return this.#lines + Number(this.#isInLine);
  }

  add(chunk: Uint8Array): void {
    // Neither an iterator, which takes three times as long, nor indexOf, which is slow for many line ends.
    for (let i = 0; i < chunk.length; i += 1) {
      const isEnd = chunk[i] === 0x0a;
      if (isEnd && this.#isInLine) this.#lines += 1;
      this.#isInLine = !isEnd;
    }
  }
}

const mebibytes = (bytes: number): string => `${Math.floor(bytes / (1 << 20)).toLocaleString('en-US')} MiB`;

const tooLarge = (): ServiceError =>
  new ServiceError(
    'payload_too_large',
    `The file is larger than ${mebibytes(maxFileBytes)}, which is the maximum`,
  );
