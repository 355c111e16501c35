/** SQLSTATE of Postgres, and the message of SQLite, for a row that refers to a row that does not exist. */
const foreignKeyViolation = { sqlstate: '23503', message: 'FOREIGN KEY constraint failed' };

/**
 * Returns what `write` returns, or `missing` when the organization that it writes for was deleted meanwhile. Only for writes
 * whose foreign keys all lead to the organization.
 */
export async function unlessDeleted<R, M>(write: Promise<R>, missing: M): Promise<R | M> {
  try {
    return await write;
  } catch (reason) {
    if (!isForeignKeyViolation(reason as { code?: unknown; message?: unknown })) throw reason;
    return missing;
  }
}

function isForeignKeyViolation({ code, message }: { code?: unknown; message?: unknown }): boolean {
  return code === foreignKeyViolation.sqlstate || message === foreignKeyViolation.message;
}
