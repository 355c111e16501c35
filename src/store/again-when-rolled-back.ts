/** SQLSTATE of a transaction that the server has undone for the sake of another: a deadlock, or a conflict of snapshots. */
const rolledBack = new Set(['40P01', '40001']);
const maxAttempts = 3;

/**
 * Runs a transaction, and runs it again when the server has rolled it back for the sake of another: nothing of it has
 * happened then. SQLite never does that.
 */
export async function againWhenRolledBack<R>(transaction: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (reason) {
      if (attempt === maxAttempts || !rolledBack.has(String((reason as { code?: unknown }).code)))
        throw reason;
    }
  }
}
