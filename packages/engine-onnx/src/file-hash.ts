import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';

// Startup needs the weights' checksum twice, for verification and the fingerprint. Each takes tens of milliseconds.
const remembered = new Map<string, { stamp: string; sum: string }>();
const maxRemembered = 64;
const chunkBytes = 1024 * 1024;

/** Returns the file's SHA-256 in hexadecimal. Does not reread an unchanged file. Throws when it can't be read. */
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

/** Hashes a file. Reuses one buffer: a stream allocates one per chunk, and collecting that garbage delays startup. */
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
