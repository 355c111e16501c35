import pg from 'pg';
import { codeOf, invalidRequest, messageOf, unavailable } from '../../errors.ts';

/** SQLSTATE of a read-only server, such as the old primary after a failover. */
const readOnlyTransaction = '25006';
/** SQLSTATE of a statement that waited too long for a lock: see functions/flush-quota.sql. */
export const lockTimedOut = '55P03';
/** SQLSTATE of a text with a NUL character. (Invalid UTF-8 has it too, but no JavaScript string becomes that.) */
const invalidText = '22021';

/**
 * Reports whether `reason` is the server's response to a statement: the connection is fine, and nothing was changed.
 */
export function isAnswer(reason: unknown): boolean {
  return reason instanceof pg.DatabaseError && !isConnectionFault(reason);
}

/** Reports whether the connection is lost, or leads to the wrong server. */
export function isConnectionFault(reason: unknown): boolean {
  if (!(reason instanceof pg.DatabaseError)) return true;
  const code = reason.code ?? '';
  return code.startsWith('08') || code.startsWith('57P') || code === readOnlyTransaction;
}

/** A refused statement, in a form that may be logged: pg's own error has SQL, tables, rows and their values. */
class PostgresFault extends Error {
  override readonly name = 'PostgresFault';
  /** SQLSTATE. */
  readonly code: string;
  readonly severity: string | undefined;

  constructor({ code = 'unknown', severity, message, table, constraint }: pg.DatabaseError) {
    const about = constraint === undefined ? '' : ` because of ${constraint} of ${table}`;
    const shown = aboutNames.test(code) ? message : `Postgres refused a statement${about}`;
    super((aboutServer.test(code) ? message : `${shown} (SQLSTATE ${code})`) + hintFor(code, message));
    this.code = code;
    this.severity = severity;
  }
}

/** Classes of SQLSTATE that are about the server or the session. Their messages never contain data. */
const aboutServer = /^(08|25|28|3D|3F|40|53|57|58)/;
/** The class for rights and for names of tables, columns and types, which its messages contain in place of data. */
const aboutNames = /^42/;

/** Searched for in the SQLSTATE and the message. */
const hints: readonly (readonly [RegExp, string])[] = [
  [
    / unsupported startup parameter/,
    'the pooler must ignore it, or DATABASE_URL must lead past the pooler: see "Pooling" in docs/operations.md',
  ],
  [/^42501 permission denied for database/, 'GRANT CONNECT ON DATABASE … TO the role'],
  [/^42501/, 'the role must own the database or its schema'],
  [/^53300/, 'lower DATABASE_POOL_SIZE, or raise max_connections or the limit of the role'],
];

function hintFor(code: string, message: string): string {
  const hint = hints.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
  return hint === undefined ? '' : `: ${hint}`;
}

/**
 * Reports whether `reason`, as a `Pool` throws it, is the server's refusal of what a statement does: nothing was
 * changed, and a statement about other rows may succeed.
 */
export function isAboutData(reason: unknown): boolean {
  return reason instanceof PostgresFault && !aboutServer.test(reason.code) && reason.code !== lockTimedOut;
}

/** What pg's errors about a connection mean. */
const connectionHints: readonly (readonly [RegExp, string])[] = [
  [/password must be a string/, 'The server asks for a password, and the address has none'],
  [
    /self[- ]signed certificate|unable to (verify|get)/,
    'The server’s certificate is of an unknown authority: name its file with ' +
      'sslmode=verify-full&sslrootcert=FILE, or don’t check it with sslmode=no-verify',
  ],
  [/(ENOTFOUND|EAI_AGAIN) .*,/, 'DATABASE_URL names several hosts, but there can be only one'],
];

/**
 * Replaces errors of pg, which must not leave this directory, by errors without data. Returns other errors unchanged.
 */
export function loggableFault(reason: unknown): unknown {
  if (reason instanceof pg.DatabaseError && reason.code === invalidText) {
    return invalidRequest('No text may have the NUL character');
  }
  if (reason instanceof pg.DatabaseError) return new PostgresFault(reason);
  // Connecting to a name with several addresses fails with one error per address, and an empty message.
  if (reason instanceof AggregateError) return new Error(reason.errors.map(String).join('; '));
  const hint = connectionHints.find(([pattern]) => pattern.test(messageOf(reason)))?.[1];
  return hint === undefined ? reason : new Error(hint, { cause: reason });
}

/**
 * SQLSTATEs with which a server refuses any statement: its transaction has been idle for too long, it accepts no
 * sign-in or has no such database, or it has no room or time.
 */
const aboutAnything = /^(25P0[34]|28|3D|5[378])/;

/**
 * Returns what a caller of a pool receives: `unavailable` with the cause, unless the server refused what a statement
 * does.
 */
export function poolFault(reason: unknown): unknown {
  const fault = loggableFault(reason);
  return isAnswer(reason) && !aboutAnything.test(codeOf(reason) ?? '') ? fault : unavailable(fault);
}

/** Reports whether no connection was available before the deadline. No statement was sent then. */
export const isWithoutConnection = (reason: unknown): boolean =>
  /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/.test(
    messageOf(reason),
  );
