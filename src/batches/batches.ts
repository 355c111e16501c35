import { invalidField, invalidRequest, notFound, ServiceError } from '../errors.ts';
import type { Files } from '../files/files.ts';
import type { Clock } from '../lib/clock.ts';
import { excerpt } from '../lib/harmless.ts';
import { prefixedId } from '../lib/ids.ts';
import type { Batch, BatchFit, BatchStore } from './batch.ts';
import type { BatchRunner } from './runner.ts';

export type NewBatch = Pick<
  Batch,
  'orgId' | 'senderId' | 'endpoint' | 'inputFileId' | 'metadata' | 'outputExpiresAfterMs'
> & { readonly completionWindowMs: number };

/** What is left of the quota of an organization. */
export type Left = Omit<BatchFit, 'requests' | 'fits'>;

const maxOpenBatches = 100;
/** How many batches that have ended an organization's list has. */
const maxKept = 1_000;

/** The batches of organizations. The runner runs them. */
export class Batches {
  readonly #store: BatchStore;
  readonly #files: Files;
  readonly #clock: Clock;
  readonly #runner: BatchRunner;

  constructor(parts: { store: BatchStore; files: Files; clock: Clock; runner: BatchRunner }) {
    this.#store = parts.store;
    this.#files = parts.files;
    this.#clock = parts.clock;
    this.#runner = parts.runner;
  }

  /** Throws `not_found` for the file, `invalid_request` for one of results, and `rate_limit_exceeded`. */
  async create({ completionWindowMs, ...batch }: NewBatch, left: Left): Promise<Batch> {
    const file = await this.#files.get(batch.orgId, batch.inputFileId);
    if (file.purpose !== 'batch')
      throw invalidRequest('input_file_id must name a file with the purpose "batch"', {
        param: 'input_file_id',
      });
    const createdAt = this.#clock.now();
    const { remaining } = left;
    const created: Batch = {
      ...batch,
      batchId: prefixedId('batch_'),
      inputFilename: file.filename,
      model: null,
      fingerprint: null,
      outputFileId: null,
      errorFileId: null,
      status: 'validating',
      errors: [],
      times: {},
      quota: { ...left, requests: file.lines, fits: remaining === null || file.lines <= remaining },
      total: 0,
      completed: 0,
      failed: 0,
      cached: 0,
      texts: 0,
      tokens: 0,
      cachedTokens: 0,
      nextLine: 0,
      nextByte: 0,
      createdAt,
      expiresAt: createdAt + completionWindowMs,
      endedAt: null,
      waitsFor: null,
    };
    const bounds = { ...this.#files.bounds, maxOpen: maxOpenBatches, maxKept };
    const inserted = await this.#store.insert(created, bounds);
    if (inserted === 'no organization') throw notFound('No such organization');
    if (inserted === 'no file') await this.#files.get(batch.orgId, batch.inputFileId);
    if (inserted === 'too many files') this.#files.require('too many');
    if (inserted === 'too large') this.#files.require('too large');
    if (inserted === 'too many')
      throw new ServiceError(
        'rate_limit_exceeded',
        `This organization has ${maxOpenBatches} batches that have not ended, which is the maximum. Try again ` +
          'when one has ended.',
      );
    this.#runner.kick();
    return created;
  }

  /** Throws `not_found`. */
  async get(orgId: string, batchId: string): Promise<Batch> {
    const batch = await this.#store.find(orgId, batchId);
    if (!batch) throw notFound(`No such batch: ${excerpt(batchId)}`);
    return batch;
  }

  /** Throws `invalid_request` if the page begins after an unknown batch: a client would get the first page again. */
  async list(orgId: string, query: Parameters<BatchStore['list']>[1]): Promise<Batch[]> {
    if (query.after !== undefined && !(await this.#store.find(orgId, query.after)))
      throw invalidField('after', 'after must be the id of a batch, such as last_id of the page before');
    return this.#store.list(orgId, query);
  }

  /** Deletes a file. Throws `not_found`, and `invalid_request` while a batch reads the file. */
  async deleteFile(orgId: string, fileId: string): Promise<void> {
    const isDeleted = await this.#files.delete(orgId, fileId);
    if (!isDeleted && (await this.#store.isRead(orgId, fileId)))
      throw invalidRequest('A batch that has not ended reads this file. Cancel the batch first', {
        param: 'file_id',
      });
  }

  /** Throws `not_found`, and `invalid_request` for a batch that has ended. */
  async cancel(orgId: string, batchId: string): Promise<Batch> {
    const isCancelled = await this.#store.cancel(orgId, batchId, this.#clock.now());
    const batch = await this.get(orgId, batchId);
    if (!isCancelled && batch.status !== 'cancelling')
      throw invalidRequest(`A batch with the status "${batch.status}" can’t be cancelled`);
    this.#runner.stop(batchId);
    return batch;
  }
}
