/** SQLSTATE of Postgres, and the message of SQLite, for a row that refers to a row that does not exist. */
const violation = { sqlstate: '23503', message: 'FOREIGN KEY constraint failed' };

/** Reports whether a database refused a row because the row that it refers to does not exist. */
export function isForeignKeyViolation(reason: unknown): boolean {
  const { code, message } = (reason ?? {}) as { code?: unknown; message?: unknown };
  return code === violation.sqlstate || message === violation.message;
}
