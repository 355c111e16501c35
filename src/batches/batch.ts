import type { Piece, StoredFile } from '../files/file.ts';

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

export type NewBatch = Pick<
  Batch,
  'orgId' | 'senderId' | 'endpoint' | 'inputFileId' | 'metadata' | 'outputExpiresAfterMs'
> & { readonly completionWindowMs: number };

/** What is left of the quota of an organization. */
export type Left = Omit<BatchFit, 'requests' | 'fits'>;
