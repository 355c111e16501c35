import pg from 'pg';
import { ServiceError } from '../../errors.ts';

/** SQLSTATE of a server that takes no writes: after a failover, the one that was the primary before. */
const readOnlyTransaction = '25006';
/** SQLSTATE of a text that is not UTF-8, or has a NUL: the only one of these that a string of JavaScript can have. */
const invalidText = '22021';

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

/** A refusal of the server, as it may be told: pg's own error carries SQL, tables, rows and their values. */
class PostgresFault extends Error {
  override readonly name = 'PostgresFault';
  /** SQLSTATE. */
  readonly code: string;
  readonly severity: string | undefined;

  constructor({ code = 'unknown', severity, message }: pg.DatabaseError) {
    super(tellable.test(code) ? message : `Postgres refused a statement (SQLSTATE ${code})${hintFor(code)}`);
    this.code = code;
    this.severity = severity;
  }
}

/** Classes of SQLSTATE whose messages speak of the server or the session, never of what is stored there. */
const tellable = /^(08|25|28|3D|40|53|57|58)/;
const insufficientPrivilege = '42501';

function hintFor(code: string): string {
  return code === insufficientPrivilege ? ': the role must own the database or its schema' : '';
}

/** What may leave this directory in place of `reason`. Errors that pg has not made stay as they are. */
export function toldFault(reason: unknown): unknown {
  if (reason instanceof pg.DatabaseError && reason.code === invalidText) {
    return new ServiceError('invalid_request', 'No text may have the NUL character');
  }
  if (reason instanceof pg.DatabaseError) return new PostgresFault(reason);
  // A name with several addresses fails with one error for each, and no message of its own.
  if (reason instanceof AggregateError) return new Error(reason.errors.map(String).join('; '));
  return reason;
}
