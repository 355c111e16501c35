import { statfs } from 'node:fs/promises';
import { ServiceError } from '../errors.ts';

const maxReserveBytes = 1e9;
const reserveShare = 0.05;
const retryAfterSeconds = 60;

/**
 * What stops before the disk is full, as shares of a reserve: the smaller of 1 GB and 5 % of the file system. The
 * rest of the reserve is for quotas, keys and deletions.
 */
const stopsBelow = { files: 1, cacheAndLog: 0.5, service: 0.1 };

/** The file system of a directory. */
export class Disk {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async hasRoomFor(what: keyof typeof stopsBelow): Promise<boolean> {
    const { bavail, blocks, bsize } = await statfs(this.#directory);
    const reserve = Math.min(maxReserveBytes, reserveShare * blocks * bsize);
    return bavail * bsize >= stopsBelow[what] * reserve;
  }

  /** Throws `unavailable`. */
  async requireRoomFor(what: keyof typeof stopsBelow): Promise<void> {
    if (await this.hasRoomFor(what)) return;
    const message = 'The disk of the service is almost full. Try again when there is space';
    throw new ServiceError('unavailable', message, { retryAfterSeconds });
  }
}
