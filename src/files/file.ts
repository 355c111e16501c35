import type { InTurn } from '../lib/fair-turns.ts';

/** A file of an organization. Times are in milliseconds since the Unix epoch. */
export interface StoredFile {
  /** `file-` and 32 hexadecimal digits. Identifiers sort by creation time. */
  readonly fileId: string;
  readonly orgId: string;
  readonly filename: string;
  readonly purpose: FilePurpose;
  /** What the pieces hold: the bytes themselves, or results of a batch, which are rendered when they are read. */
  readonly content: 'bytes' | 'results';
  /** `writing`: not all of its pieces are there yet, so that nobody sees it. */
  readonly status: 'writing' | 'ready';
  /** The bytes that a reader gets. */
  readonly bytes: number;
  /** The bytes that its pieces take. */
  readonly storedBytes: number;
  /** The lines that are not empty. */
  readonly lines: number;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export type FilePurpose = 'batch' | 'batch_output';

/** A part of a file's bytes, which is stored encrypted under `pieceId`. */
export interface Piece {
  readonly pieceId: string;
  /** The pieces of a file sort by it. */
  readonly position: number;
  /** The bytes that a reader of the file gets for it. */
  readonly bytes: number;
  readonly storedBytes: number;
}

/** The pieces of a file that is being written, and what they hold. */
export interface Written {
  readonly pieces: readonly Piece[];
  readonly bytes: number;
  readonly lines: number;
}

/** The files of one organization that may be stored at a time. */
export interface FileBounds {
  readonly maxFiles: number;
  readonly maxStoredBytes: number;
}

export interface FileQuery {
  readonly purpose: string | undefined;
  /** The identifier of the last file that the caller has. */
  readonly after: string | undefined;
  readonly limit: number;
  readonly isDescending: boolean;
}

export type Inserted = 'done' | 'too many' | 'too large' | 'no organization';

export interface FileStore {
  /**
   * Records that a piece is about to be stored, so that it is counted, and found and deleted if no file ever has it.
   * Records nothing if the organization would store more than `maxStoredBytes`.
   */
  plan(orgId: string, piece: Piece, nowMs: number, maxStoredBytes: number): Promise<Inserted>;
  /** Inserts a file with its pieces, which were planned. Inserts nothing if the organization has `maxFiles`. */
  insert(file: StoredFile, pieces: readonly Piece[], maxFiles: number): Promise<Inserted>;
  find(orgId: string, fileId: string): Promise<StoredFile | undefined>;
  /** Lists the files that are ready. */
  list(orgId: string, query: FileQuery): Promise<StoredFile[]>;
  /**
   * Returns how many files an organization has, with those that open batches will have, and what its pieces take,
   * with those that no file has yet or any more.
   */
  held(orgId: string): Promise<{ readonly files: number; readonly storedBytes: number }>;
  /** Returns the pieces of a file in order. */
  pieces(fileId: string): Promise<Piece[]>;
  /** False: there is no such file, or a batch that has not ended reads it. */
  delete(orgId: string, fileId: string): Promise<boolean>;
  /** Deletes some files that have expired. Returns whether there may be more. */
  deleteExpired(nowMs: number): Promise<boolean>;
  /** Returns some pieces that a file had, or that were planned before a time and that no file ever had. */
  abandoned(plannedBeforeMs: number): Promise<string[]>;
  /** Forgets pieces whose bytes are deleted. */
  forget(pieceIds: readonly string[]): Promise<void>;
}

/** Stores the bytes of pieces. A piece never changes. */
export interface PieceStore {
  /** Resolves when the bytes survive a power failure. */
  put(pieceId: string, bytes: Uint8Array): Promise<void>;
  /** Undefined: there is no such piece. `inTurn` runs what takes the event loop milliseconds. */
  get(pieceId: string, inTurn?: InTurn): Promise<Uint8Array | undefined>;
  /** Does nothing if there is no such piece. */
  delete(pieceId: string): Promise<void>;
  /** Throws `unavailable` if the store has no room for more. Undefined: it doesn't know. */
  requireRoom?(): Promise<void>;
}
