import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory } from '../../packages/small/src/files.ts';
import { codeOf } from '../errors.ts';
import type { Disk } from '../lib/disk.ts';
import type { PieceStore } from './file.ts';

/** Stores each piece as a file below a directory of a disk, which is accessible only to the owner. */
export function directoryPieces(directory: string, disk: Disk): PieceStore {
  // One directory for each of 256 values, so that none gets too long. The last digits are random.
  const pathOf = (pieceId: string): string => join(directory, pieceId.slice(-2), pieceId);
  return {
    async put(pieceId, bytes) {
      const path = pathOf(pieceId);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = await open(`${path}.tmp`, 'w', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.tmp`, path);
      syncDirectory(dirname(path));
    },
    async get(pieceId) {
      try {
        return await readFile(pathOf(pieceId));
      } catch (reason) {
        if (codeOf(reason) === 'ENOENT') return undefined;
        throw reason;
      }
    },
    async delete(pieceId) {
      await rm(pathOf(pieceId), { force: true });
      await rm(`${pathOf(pieceId)}.tmp`, { force: true });
    },
    requireRoom: () => disk.requireRoomFor('files'),
  };
}
