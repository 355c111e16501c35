import { fieldsOf } from './json.ts';

/** The error of a call that can't be served now, although the same call may succeed later. `cause` is the reason. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  /** Whole seconds after which a retry makes sense. */
  readonly retryAfterSeconds: number;

  constructor(cause: unknown, retryAfterSeconds = 1) {
    super(`unavailable: ${messageOf(cause)}`, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Returns an Unavailable unchanged, and one with the cause for everything else. */
  static of(cause: unknown): Unavailable {
    return cause instanceof Unavailable ? cause : new Unavailable(cause);
  }
}

/** Returns the message of a caught error. */
export function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

/** Returns the code of a caught error, such as `ENOENT` or an SQLSTATE; undefined if it has none. */
export function codeOf(reason: unknown): string | undefined {
  const { code } = fieldsOf(reason);
  return typeof code === 'string' ? code : undefined;
}

/** Returns what makes `value` of a missing file or directory. Throws all other reasons, such as a missing permission. */
export const ifAbsent =
  <V>(value: V) =>
  (reason: unknown): V => {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(reason) ?? '')) return value;
    throw reason;
  };

/** Returns what was caught as an Error. */
export function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
