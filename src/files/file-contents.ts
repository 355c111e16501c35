import { notFound, ServiceError, unavailable } from '../errors.ts';
import type { InTurn } from '../lib/fair-turns.ts';
import { newId } from '../lib/ids.ts';
import { inSteps } from '../lib/in-steps.ts';
import {
  type FileBounds,
  mebibytes,
  type NewFile,
  type Piece,
  type PieceStore,
  type StoredFile,
  type Written,
} from './file.ts';
import type { Files } from './stored-files.ts';

interface Parts {
  readonly files: Files;
  /** Encrypts what it stores. */
  readonly pieces: PieceStore;
  readonly bounds: FileBounds;
  /** Returns the bytes that readers get for a piece of results. */
  renderResults(piece: Uint8Array, inTurn: InTurn): Promise<Buffer>;
  /** Returns the turns of the event loop in which an organization's files are read and written. */
  turnsOf(orgId: string): InTurn;
}

/** The bytes of a piece. Memory holds about three pieces of each upload and download. */
export const pieceBytes = 4 << 20;
/** The bytes of the largest file that can be uploaded. */
const maxFileBytes = 512 << 20;
/** An upload that takes longer is refused at its end. Pieces of deleted files don't wait for it. */
const abandonedAfterMs = 86_400_000;

/** Writes and reads the bytes of files: uploaded ones, and those with the results of batches. */
export class FileContents {
  readonly #files: Files;
  readonly #pieces: PieceStore;
  readonly #renderResults: Parts['renderResults'];
  readonly turnsOf: Parts['turnsOf'];
  readonly bounds: FileBounds;

  constructor({ files, pieces, bounds, renderResults, turnsOf }: Parts) {
    this.#files = files;
    this.#pieces = pieces;
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
      pieces.push(await this.#put(orgId, piece, place, this.bounds));
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
    const bounds = { ...this.bounds, maxStoredBytes: Number.POSITIVE_INFINITY };
    return this.#put(orgId, content, { bytes, position }, bounds);
  }

  async #put(
    orgId: string,
    content: Uint8Array,
    place: Pick<Piece, 'bytes' | 'position'>,
    bounds: FileBounds,
  ): Promise<Piece> {
    await this.#pieces.requireRoom?.();
    const piece = { ...place, pieceId: newId(), storedBytes: content.length };
    // Counted from now on, until a file has it or it is deleted.
    await this.#files.plan(orgId, piece, bounds);
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
    try {
      return await this.#files.create(file, written, this.bounds);
    } catch (reason) {
      // After any other error, a file may have the pieces.
      if (reason instanceof ServiceError && reason.status < 500) await this.discard(written);
      throw reason;
    }
  }

  /** Throws `payload_too_large` or `unavailable` unless the organization, and the disk, can store something more. */
  async requireRoom(orgId: string): Promise<void> {
    await this.#pieces.requireRoom?.();
    await this.#files.requireRoom(orgId, this.bounds);
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
    for (const { pieceId, bytes } of await this.#files.pieces(fileId)) {
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

  /** Throws `not_found`, and `invalid_request` while a batch reads the file. */
  async delete(orgId: string, fileId: string): Promise<void> {
    await this.discard({ pieces: await this.#files.delete(orgId, fileId) });
  }

  /** Deletes what has expired, and pieces that no file has. */
  async prune(nowMs: number, signal: AbortSignal): Promise<void> {
    await inSteps(() => this.#files.deleteExpired(nowMs), signal);
    await inSteps(async () => {
      const pieceIds = await this.#files.abandoned(nowMs - abandonedAfterMs);
      await this.#deletePieces(pieceIds);
      return pieceIds.length > 0;
    }, signal);
  }

  async #deletePieces(pieceIds: readonly string[]): Promise<void> {
    for (const pieceId of pieceIds) await this.#pieces.delete(pieceId);
    await this.#files.forget(pieceIds);
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

const tooLarge = (): ServiceError =>
  new ServiceError(
    'payload_too_large',
    `The file is larger than ${mebibytes(maxFileBytes)}, which is the maximum`,
  );
