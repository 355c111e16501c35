import { createHash, type Hash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ifAbsent } from '../../../small/src/errors.ts';
import { type Hub, HubError, typeOf } from './hub.ts';
import type { RemoteFile } from './repository.ts';

export interface DownloadOptions {
  /** Called with the number of bytes gained. Negative when a download restarts from the beginning. */
  readonly onBytes: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
}

// Consecutive attempts without a new byte.
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
    let furthest = progress.at;
    for (let failures = 0; progress.at < file.sizeBytes; ) {
      try {
        await continueAt(hub, file, handle, progress);
      } catch (error) {
        failures = progress.at > furthest ? 0 : failures + 1;
        furthest = Math.max(furthest, progress.at);
        if (!(error instanceof HubError && error.isPassing) || failures === maxFailures) throw error;
        await sleep(hub.delayAfter(error, failures), undefined, { signal });
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

/** Requests the file from `progress.at` on and writes the response. Throws a HubError if that isn't the whole rest. */
async function continueAt(hub: Hub, file: RemoteFile, handle: FileHandle, progress: Progress): Promise<void> {
  const { response, alive, end } = await hub.open(
    file.url,
    progress.at > 0 ? { range: `bytes=${progress.at}-` } : {},
  );
  try {
    if (response.status === 206 && startOf(response) !== progress.at)
      throw new HubError(`${file.path}: ${hub.host} returns a different range than requested`);
    if (response.status !== 206) {
      // The response is the whole file, requested or not.
      progress.onBytes(-progress.at);
      progress.at = 0;
    }
    // A mirror can have a cut file, and a proxy sends pages of its own. Another request would return the same.
    const from = progress.at;
    const wrong = async (bytes: number | string): Promise<HubError> => {
      // What it has written is no part of the file. Without that, what was there stays for the next attempt.
      if (progress.at > from) await handle.truncate(from);
      const what = `${bytes} bytes (${typeOf(response.headers)}) instead of the ${file.sizeBytes} that it has stated`;
      return new HubError(`${file.path}: ${hub.host}, or what is between, sends ${what}`);
    };
    const { headers } = response;
    const stated = headers.has('content-encoding') ? null : headers.get('content-length');
    const last = progress.at + Number(stated);
    if (stated !== null && last !== file.sizeBytes) throw await wrong(last);
    for await (const chunk of hub.bodyOf(response)) {
      alive();
      if (progress.at + chunk.length > file.sizeBytes) throw await wrong(`more than ${file.sizeBytes}`);
      await handle.write(chunk, 0, chunk.length, progress.at);
      progress.at += chunk.length;
      progress.onBytes(chunk.length);
    }
    if (progress.at < file.sizeBytes) throw await wrong(progress.at);
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

const exists = (path: string): Promise<boolean> => stat(path).then(() => true, ifAbsent(false));
