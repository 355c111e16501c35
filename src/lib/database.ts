import { codeOf, messageOf } from '../errors.ts';

/** After a longer pause, the clock may be wrong: a person confirms it before anything is deleted that is old by it. */
export const longestPauseMs = 14 * 86_400_000;

/** SQLSTATE of Postgres, and the message of SQLite, for a row that refers to a row that does not exist. */
const violation = { sqlstate: '23503', message: 'FOREIGN KEY constraint failed' };

/** Reports whether a database refused a row because the row that it refers to does not exist. */
export function isForeignKeyViolation(reason: unknown): boolean {
  return codeOf(reason) === violation.sqlstate || messageOf(reason) === violation.message;
}

/** ENOSPC of a file, the SQLSTATE of Postgres, and the message of SQLite: its code does not pass between threads. */
const diskFull = new Set(['ENOSPC', '53100', 'database or disk is full']);

/** Reports whether something could not be written because the disk is full. */
export function isDiskFull(reason: unknown): boolean {
  return diskFull.has(codeOf(reason) ?? '') || diskFull.has(messageOf(reason));
}
