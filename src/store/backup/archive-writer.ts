import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { createTarPacker } from 'modern-tar';
import { keepSynced } from './keep-synced.ts';
import { type BackedUpFile, type Manifest, manifestName, manifestText } from './manifest.ts';

type Packer = ReturnType<typeof createTarPacker>;
type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Writes a compressed tar archive, file by file, with bounded memory. `tar` can list and unpack it. */
export class ArchiveWriter implements AsyncDisposable {
  readonly #packer: Packer['controller'];
  readonly #written: Promise<void>;
  readonly #files: BackedUpFile[] = [];
  readonly #nowMs: number;

  /** Creates the archive, which only its owner can read. */
  constructor(path: string, nowMs: number) {
    const { readable, controller } = createTarPacker();
    this.#packer = controller;
    this.#nowMs = nowMs;
    this.#written = keepSynced(
      path,
      pipeline(
        Readable.fromWeb(readable),
        createGzip(),
        createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }),
      ),
    );
    // `finish` reports the error. Until then, the next write fails.
    this.#written.catch(() => {});
  }

  /** Calls `onBytes` with the size of each part that it has read. */
  async addFile(name: string, path: string, onBytes: (bytes: number) => void = () => {}): Promise<void> {
    await this.#add(name, statSync(path).size, createReadStream(path), onBytes);
  }

  async addText(name: string, text: string): Promise<void> {
    const content = Buffer.from(text);
    await this.#add(name, content.length, [content]);
  }

  /** Writes the manifest, and resolves when everything has reached the disk. */
  async finish(about: Omit<Manifest, 'files'>): Promise<void> {
    await this.addText(manifestName, manifestText({ ...about, files: [...this.#files] }));
    this.#packer.finalize();
    await this.#written;
  }

  /** Closes an archive that was not finished. The file stays. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#packer.error(new Error('The archive was not finished'));
    await this.#written.catch(() => {});
  }

  async #add(
    name: string,
    sizeBytes: number,
    content: Content,
    onBytes: (bytes: number) => void = () => {},
  ): Promise<void> {
    const hash = createHash('sha256');
    const entry = this.#packer.add({
      name,
      size: sizeBytes,
      mode: 0o600,
      mtime: new Date(this.#nowMs),
    });
    const writer = entry.getWriter();
    for await (const chunk of content) {
      hash.update(chunk);
      await writer.write(chunk);
      onBytes(chunk.length);
    }
    await writer.close();
    this.#files.push({ name, sizeBytes, sha256: hash.digest('hex') });
  }
}
