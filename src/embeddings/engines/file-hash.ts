import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';

// A start needs the weights' sum twice, to verify them and for the fingerprint, and each time takes tens of milliseconds.
const remembered = new Map<string, { stamp: string; sum: string }>();
const maxRemembered = 64;
const chunkBytes = 1024 * 1024;

/** The file's SHA-256 in hexadecimal; a file that has not changed since is not read again. Throws when it can't be read. */
export async function sha256OfFile(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  const stamp = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  const known = remembered.get(path);
  if (known?.stamp === stamp) return known.sum;
  const sum = await readSum(path);
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(path, { stamp, sum });
  return sum;
}

/** Into one buffer: a stream takes a new one for each chunk, and so many make the collector stop the start for them. */
async function readSum(path: string): Promise<string> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(chunkBytes);
  const file = await open(path);
  try {
    for (;;) {
      const { bytesRead } = await file.read(chunk);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
