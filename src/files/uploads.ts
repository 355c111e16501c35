import { createHash } from 'node:crypto';
import { invalidField, ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { excerpt } from '../lib/harmless.ts';
import { prefixedId } from '../lib/ids.ts';
import type { FileStore, StoredFile, Upload, Written } from './file.ts';
import { type Files, newFile, tooLarge, uploadEnded } from './files.ts';

export type NewUpload = Omit<Upload, 'uploadId' | 'status' | 'fileId' | 'createdAt' | 'expiresAt'>;

const maxPending = 100;
const uploadForMs = 3_600_000;

/** Files that arrive in parts. A part is a file that nobody sees, until the parts become one file. */
export class Uploads {
  readonly #store: FileStore;
  readonly #files: Files;
  readonly #clock: Clock;

  constructor(store: FileStore, files: Files, clock: Clock) {
    this.#store = store;
    this.#files = files;
    this.#clock = clock;
  }

  /** Throws `rate_limit_exceeded` and `payload_too_large`. */
  async begin(upload: NewUpload): Promise<Upload> {
    if (upload.bytes > this.#files.bounds.maxStoredBytes) throw tooLarge(this.#files.bounds.maxStoredBytes);
    const createdAt = this.#clock.now();
    const begun: Upload = {
      ...upload,
      uploadId: prefixedId('upload_'),
      status: 'pending',
      fileId: null,
      createdAt,
      expiresAt: createdAt + uploadForMs,
    };
    this.#files.require(await this.#store.insertUpload(begun, maxPending));
    return begun;
  }

  /** Throws `not_found`. */
  async get(orgId: string, uploadId: string): Promise<Upload> {
    const upload = await this.#store.findUpload(orgId, uploadId);
    if (!upload || upload.expiresAt <= this.#clock.now())
      throw new ServiceError('not_found', `No such upload: ${excerpt(uploadId)}`, { param: 'upload_id' });
    return upload;
  }

  /** Adds a part to a pending upload. Throws as `create` does. */
  async addPart(upload: Upload, written: Written): Promise<StoredFile> {
    const { orgId, filename, purpose, uploadId, expiresAt } = upload;
    const expiresAfterMs = expiresAt - this.#clock.now();
    const part = { fileId: prefixedId('part_'), uploadId };
    return this.#files.create({ orgId, filename, purpose, expiresAfterMs }, written, part);
  }

  /**
   * Makes a file of the parts, in the order of `partIds`. Throws `invalid_request` for an unknown part, and if the bytes or
   * `md5`, which is hexadecimal, differ from what the parts have.
   */
  async complete(upload: Upload, partIds: readonly string[], md5?: string): Promise<StoredFile> {
    requirePending(upload);
    const stored = new Map((await this.#store.parts(upload.uploadId)).map((part) => [part.fileId, part]));
    const parts = partIds.map((partId) => {
      const part = stored.get(partId);
      if (!part)
        throw invalidField('part_ids', `part_ids has ${excerpt(partId)}, which is no part of this upload`);
      return part;
    });
    if (new Set(partIds).size < partIds.length)
      throw invalidField('part_ids', 'part_ids has the same part twice');
    const sum = (figure: 'bytes' | 'storedBytes' | 'lines'): number =>
      parts.reduce((all, part) => all + part[figure], 0);
    if (sum('bytes') !== upload.bytes)
      throw invalidField(
        'part_ids',
        `The parts have ${sum('bytes')} bytes, but the upload was created for ${upload.bytes}`,
      );
    if (md5 !== undefined && md5.toLowerCase() !== (await this.#md5Of(parts)))
      throw invalidField('md5', 'md5 differs from that of the parts');
    const { orgId, filename, purpose, fileExpiresAfterMs: expiresAfterMs } = upload;
    const written = { pieces: [], bytes: upload.bytes, lines: sum('lines') };
    const file = {
      ...newFile({ orgId, filename, purpose, expiresAfterMs }, written, this.#clock.now()),
      storedBytes: sum('storedBytes'),
    };
    if (!(await this.#store.completeUpload(upload, file, partIds))) throw uploadEnded();
    return file;
  }

  /** Throws `invalid_request` if the upload has ended. */
  async cancel({ orgId, uploadId }: Upload): Promise<void> {
    if (!(await this.#store.cancelUpload(orgId, uploadId))) throw uploadEnded();
  }

  async #md5Of(parts: readonly StoredFile[]): Promise<string> {
    const digest = createHash('md5');
    for (const part of parts) for await (const piece of this.#files.read(part)) digest.update(piece);
    return digest.digest('hex');
  }
}

/** Throws `invalid_request` if an upload has ended. */
export function requirePending({ status }: Upload): void {
  if (status !== 'pending') throw uploadEnded();
}
