import pg from 'pg';

/** SQLSTATE of a server that takes no writes: after a failover, the one that was the primary before. */
const readOnlyTransaction = '25006';

/** Whether `reason` is the server's answer to a statement: the connection is fine, and nothing was changed. */
export function isAnswer(reason: unknown): boolean {
  return reason instanceof pg.DatabaseError && !isConnectionFault(reason);
}

/** Whether `reason` says that the connection is lost, or leads to the wrong server: the next one should be new. */
export function isConnectionFault(reason: unknown): boolean {
  if (!(reason instanceof pg.DatabaseError)) return true;
  const code = reason.code ?? '';
  return code.startsWith('08') || code.startsWith('57P') || code === readOnlyTransaction;
}

/** The reason in words. A name with several addresses fails with one error for each, and none of its own. */
export function faultText(reason: unknown): string {
  if (reason instanceof AggregateError) return reason.errors.map(faultText).join('; ');
  return reason instanceof Error ? reason.message : String(reason);
}
