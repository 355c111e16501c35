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

export type NewFile = Pick<StoredFile, 'orgId' | 'filename' | 'purpose'> & {
  readonly expiresAfterMs: number;
};

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

export const mebibytes = (bytes: number): string =>
  `${Math.floor(bytes / (1 << 20)).toLocaleString('en-US')} MiB`;

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
