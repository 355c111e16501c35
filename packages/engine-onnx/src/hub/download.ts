import { createHash, type Hash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Hub, HubError } from './hub.ts';
import type { RemoteFile } from './repository.ts';

export interface DownloadOptions {
  /** Called with the number of bytes gained. Negative when a download restarts from the beginning. */
  readonly onBytes: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
}

// Consecutive attempts without progress.
const maxFailures = 5;

/**
 * Downloads `file` into `directory`, continuing an earlier attempt. Keeps a file that is already there. The file
 * appears at its path only after its checksum is verified. The caller ensures that no other process does this for the
 * same directory. Throws a HubError.
 */
export async function download(
  hub: Hub,
  file: RemoteFile,
  directory: string,
  { onBytes, signal }: DownloadOptions,
): Promise<void> {
  const target = join(directory, file.path);
  if (await exists(target)) return onBytes(file.sizeBytes);
  await mkdir(dirname(target), { recursive: true });
  const part = `${target}.part`;
  const handle = await open(part, constants.O_RDWR | constants.O_CREAT);
  try {
    const begun = (await handle.stat()).size;
    const progress = { at: begun > file.sizeBytes ? 0 : begun, onBytes };
    onBytes(progress.at);
    for (let failures = 0; progress.at < file.sizeBytes; ) {
      const before = progress.at;
      try {
        await continueAt(hub, file, handle, progress);
      } catch (error) {
        failures = progress.at > before ? 0 : failures + 1;
        if (!(error instanceof HubError && error.isPassing) || failures === maxFailures) throw error;
        await sleep(hub.delayAfter(error), undefined, { signal });
      }
    }
    await handle.truncate(file.sizeBytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if ((await checksumOf(part, file)) !== file.checksum.hex) {
    await rm(part, { force: true });
    throw new HubError(
      `${file.path}: the data from ${hub.host} do not match the stated checksum and were discarded; try again`,
    );
  }
  await rename(part, target);
}

interface Progress {
  at: number;
  readonly onBytes: (bytes: number) => void;
}

/** Requests the file from `progress.at` on and writes the response, which can end before the file does. */
async function continueAt(hub: Hub, file: RemoteFile, handle: FileHandle, progress: Progress): Promise<void> {
  const { response, alive, end } = await hub.open(
    file.url,
    progress.at > 0 ? { range: `bytes=${progress.at}-` } : {},
  );
  const isRest = response.status === 206 && startOf(response) === progress.at;
  if (!isRest) {
    // The response is the whole file, requested or not.
    progress.onBytes(-progress.at);
    progress.at = 0;
  }
  try {
    if (response.status === 206 && !isRest)
      throw new HubError(`${hub.host} returns a different range than requested`);
    const before = progress.at;
    for await (const chunk of hub.bodyOf(response)) {
      alive();
      if (progress.at + chunk.length > file.sizeBytes) {
        throw new HubError(
          `${file.path}: ${hub.host} sends more than the ${file.sizeBytes} bytes that it stated`,
        );
      }
      await handle.write(chunk, 0, chunk.length, progress.at);
      progress.at += chunk.length;
      progress.onBytes(chunk.length);
    }
    if (progress.at === before)
      throw new HubError(`${file.path}: ${hub.host} sends no data`, { isPassing: true });
  } finally {
    end();
  }
}

function startOf(response: Response): number | undefined {
  const [, start] = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '') ?? [];
  return start === undefined ? undefined : Number(start);
}

async function checksumOf(path: string, { checksum, sizeBytes }: RemoteFile): Promise<string> {
  const hash: Hash = createHash(checksum.kind === 'git' ? 'sha1' : 'sha256');
  if (checksum.kind === 'git') hash.update(`blob ${sizeBytes}\0`);
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
