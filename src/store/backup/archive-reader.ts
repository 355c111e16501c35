import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { ReadableStream } from 'node:stream/web';
import { createTarDecoder } from 'modern-tar';
import { messageOf, ServiceError } from '../../errors.ts';
import { type BackedUpFile, belongsTo, type Manifest, manifestName, parseManifest } from './manifest.ts';

export interface ArchivedFile {
  readonly name: string;
  /** Must be read before the next file. */
  readonly content: AsyncIterable<Uint8Array>;
}

type OnBytes = (bytes: number) => void;

const maxManifestBytes = 1 << 20;

/** Returns the files of an archive, in order. Calls `onBytes` with the size of each part that it has read. */
export async function* readArchive(path: string, onBytes: OnBytes): AsyncGenerator<ArchivedFile> {
  const entries = ReadableStream.from<Uint8Array>(partsOf(path, onBytes))
    .pipeThrough(new DecompressionStream('gzip'))
    .pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of entries) {
    // A link or a device has no content to check against the manifest. Backups have none.
    if (header.type !== 'file') {
      throw new ServiceError('invalid_request', `${header.name} in it is not a file`);
    }
    yield { name: header.name, content: body };
    // An unread file would block the next one.
    await body.cancel();
  }
}

/** Returns the text of one of an archive's files, or undefined when it has no such file. */
export async function readArchivedText(path: string, wanted: string): Promise<string | undefined> {
  for await (const { name, content } of readArchive(path, () => {})) {
    if (name === wanted) return text(content);
  }
  return undefined;
}

/**
 * Reads the whole archive and returns its manifest. Throws `not_found` if there is no archive, and `invalid_request` if
 * it is damaged or incomplete, or needs a newer program.
 */
export async function verifyArchive(path: string, onBytes: OnBytes): Promise<Manifest> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new ServiceError('not_found', `There is no backup ${path}`);
  if (!found.isFile()) throw new ServiceError('invalid_request', `${path} is not a file`);
  const files: BackedUpFile[] = [];
  let manifest: Manifest | undefined;
  try {
    for await (const { name, content } of readArchive(path, onBytes)) {
      if (name === manifestName) manifest = parseManifest(await text(bounded(content)));
      else files.push(await digested(name, content));
    }
  } catch (reason) {
    if (reason instanceof ServiceError) {
      throw new ServiceError('invalid_request', `${path} can't be restored. ${reason.message}`);
    }
    throw damaged(path, messageOf(reason) || 'it is cut off');
  }
  if (!manifest) throw damaged(path, 'it has no manifest');
  if (JSON.stringify(files) !== JSON.stringify(manifest.files)) {
    throw damaged(path, 'its files are not those that its manifest lists');
  }
  requireOwnNames(path, manifest);
  return manifest;
}

/** Throws `invalid_request` if the archive has a file that no backup has, or has a file twice. */
function requireOwnNames(path: string, { files }: Manifest): void {
  const seen = new Set<string>();
  const other = files
    .map(({ name }) => name)
    .find((name) => !belongsTo(name) || seen.size === seen.add(name).size);
  if (other === undefined) return;
  throw new ServiceError(
    'invalid_request',
    `${path} can't be restored. It has a file that does not belong there: ${JSON.stringify(other.slice(0, 200))}`,
  );
}

function damaged(path: string, how: string): ServiceError {
  return new ServiceError('invalid_request', `${path} is not a backup, or is damaged: ${how}`);
}

async function digested(name: string, content: AsyncIterable<Uint8Array>): Promise<BackedUpFile> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { name, sizeBytes, sha256: hash.digest('hex') };
}

async function* partsOf(path: string, onBytes: OnBytes): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path)) {
    onBytes(chunk.length);
    yield chunk;
  }
}

async function* bounded(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of content) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxManifestBytes) throw new Error('its manifest is too large');
    yield chunk;
  }
}
