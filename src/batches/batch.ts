import type { NoticeMessage } from '../alerts/notice.ts';
import type { FileBounds, Piece, StoredFile } from '../files/file.ts';

/** What the lines of a batch can ask for. */
export const batchEndpoints = ['/v1/embeddings', '/v1/rerank'] as const;
export type BatchEndpoint = (typeof batchEndpoints)[number];

/** `validating → failed | in_progress → finalizing → completed | expired`, and `cancelling → cancelled`. */
export const batchStatuses = [
  'validating',
  'failed',
  'in_progress',
  'finalizing',
  'completed',
  'expired',
  'cancelling',
  'cancelled',
] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** A fault that validation has found. */
export interface BatchFault {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  /** The number of the line, from 1. Null: the whole file. */
  readonly line: number | null;
}

/** Whether a batch fits into what is left of the quota, as far as that is known when it is created. */
export interface BatchFit {
  /** The requests of the batch. Cached ones will not be counted. */
  readonly requests: number;
  /** Null: unlimited, or limited in another unit. */
  readonly remaining: number | null;
  readonly fits: boolean;
  readonly resetsAtMs: number | null;
}

/** A batch. Times are in milliseconds since the Unix epoch. */
export interface Batch {
  /** `batch_` and 32 hexadecimal digits. Identifiers sort by creation time. */
  readonly batchId: string;
  readonly orgId: string;
  /** The key that created it, or the person who did: what its lines are counted under. */
  readonly senderId: string;
  readonly endpoint: BatchEndpoint;
  /** Null until the file is validated. */
  readonly model: string | null;
  /** The fingerprint of the model when the batch began. */
  readonly fingerprint: string | null;
  readonly inputFileId: string;
  /** As it was when the batch was created. */
  readonly inputFilename: string;
  readonly outputFileId: string | null;
  readonly errorFileId: string | null;
  readonly outputExpiresAfterMs: number;
  readonly status: BatchStatus;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly errors: readonly BatchFault[];
  /** When the batch reached a status. */
  readonly times: Readonly<Partial<Record<BatchStatus, number>>>;
  readonly quota: BatchFit;
  /** Lines in all, those with a result and those with an error. */
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  /** The completed lines that were not counted, because the cache had them. */
  readonly cached: number;
  readonly texts: number;
  readonly tokens: number;
  readonly cachedTokens: number;
  /** The number of lines that have a result or an error, and where the next one begins in the input file. */
  readonly nextLine: number;
  readonly nextByte: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When it became completed, failed, expired or cancelled. */
  readonly endedAt: number | null;
  /** Why it makes no progress at the moment, for people. */
  readonly waitsFor: string | null;
}

/** The results of the next lines. */
export interface Progress {
  /** Where the lines end. */
  readonly nextLine: number;
  readonly nextByte: number;
  readonly output: Piece | undefined;
  readonly errors: Piece | undefined;
  readonly completed: number;
  readonly failed: number;
  readonly cached: number;
  readonly texts: number;
  readonly tokens: number;
  readonly cachedTokens: number;
}

export type BatchChange = Partial<Omit<Batch, 'batchId' | 'orgId' | 'createdAt'>>;
export type BatchEnd = BatchChange & { readonly endedAt: number };

/** What a result file needs before its first piece. */
export type ResultFile = Pick<StoredFile, 'fileId' | 'filename' | 'createdAt'>;

/** Stores batches. Leases are in the database's time, which the replicas share. */
export interface BatchStore {
  /**
   * Inserts nothing if the organization has `maxOpen` batches that have not ended, no room for two more files and
   * their bytes, or no such input file. Deletes the batches that ended before its newest `maxKept`.
   */
  insert(
    batch: Batch,
    bounds: FileBounds & { readonly maxOpen: number; readonly maxKept: number },
  ): Promise<'done' | 'too many' | 'too many files' | 'too large' | 'no file' | 'no organization'>;
  find(orgId: string, batchId: string): Promise<Batch | undefined>;
  /** Lists the newest first. */
  list(
    orgId: string,
    query: { readonly after: string | undefined; readonly limit: number },
  ): Promise<Batch[]>;
  /** Reports whether a batch that has not ended reads the file. */
  isRead(orgId: string, fileId: string): Promise<boolean>;
  /** Makes a batch that has not ended `cancelling`. False: it has ended, or is gone. */
  cancel(orgId: string, batchId: string, nowMs: number): Promise<boolean>;

  /**
   * Returns the batches that are due, at most one per organization and none of `besides`, those that have waited
   * longest first.
   */
  due(besides: readonly string[]): Promise<Pick<Batch, 'batchId' | 'orgId'>[]>;
  /** Takes a batch for `forMs`. Undefined: another process has it. */
  claim(batchId: string, runner: string, forMs: number): Promise<Batch | undefined>;
  /** Keeps a batch for `forMs` from now. Returns its status, or undefined if another process has it. */
  renew(batchId: string, runner: string, forMs: number): Promise<BatchStatus | undefined>;
  /** Gives a batch back. Nobody takes it for `waitMs`. */
  release(
    batchId: string,
    runner: string,
    wait: { readonly ms: number; readonly reason: string | null },
  ): Promise<void>;
  /** Changes a batch. False: another process has it, or its status is no longer `from`. */
  change(batchId: string, runner: string, from: BatchStatus, change: BatchChange): Promise<boolean>;
  /**
   * Changes a batch as `change` does, shows its result files, without those that have no line, and queues a notice to
   * the channels of its organization.
   */
  end(batch: Batch, runner: string, change: BatchEnd, notice: NoticeMessage): Promise<boolean>;
  /**
   * Changes a batch as `change` does, and begins the files that the results go to. They are not visible until `end`.
   */
  begin(batch: Batch, runner: string, change: BatchChange, files: readonly ResultFile[]): Promise<boolean>;
  /**
   * Adds the results of the next lines, all or nothing. False: another process has the batch, or these lines have
   * results already.
   */
  commit(batch: Batch, runner: string, progress: Progress): Promise<boolean>;
  /** Deletes some batches that ended before a time. Returns whether there may be more. */
  prune(endedBeforeMs: number): Promise<boolean>;
}
