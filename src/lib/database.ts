import { codeOf, messageOf } from '../errors.ts';
import { fieldsOf } from './json.ts';

/** Lets only one of all replicas do something at a time. */
export interface LeaseStore {
  /**
   * Takes the lease for `holder`, for `forMs` from now. Returns the database's time, or null if another holder has the
   * lease. A holder can take its own lease again.
   */
  take(name: string, holder: string, forMs: number): Promise<number | null>;
}

/** SQLSTATE of Postgres, and the message of SQLite, for a row that refers to a row that does not exist. */
const violation = { sqlstate: '23503', message: 'FOREIGN KEY constraint failed' };

/** Reports whether a database refused a row because the row that it refers to does not exist. */
export function isForeignKeyViolation(reason: unknown): boolean {
  return codeOf(reason) === violation.sqlstate || messageOf(reason) === violation.message;
}

/** SQLITE_BUSY. */
const busy = 5;

/** Reports whether SQLite failed because another connection holds a lock. */
export function isBusy(reason: unknown): boolean {
  return fieldsOf(reason).errcode === busy;
}

/** ENOSPC of a file, the SQLSTATE of Postgres, and the message of SQLite: its code does not pass between threads. */
const diskFull = new Set(['ENOSPC', '53100', 'database or disk is full']);

/** Reports whether something could not be written because the disk is full. */
export function isDiskFull(reason: unknown): boolean {
  return diskFull.has(codeOf(reason) ?? '') || diskFull.has(messageOf(reason));
}
