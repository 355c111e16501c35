import { capitalized } from '../lib/format.ts';

/** The outcome of a request without success. The message is for the reader. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status, or 0 without a response. */
  readonly status: number;
  /** The field of the request that is at fault. */
  readonly field: string | null;

  constructor(status: number, message: string, field: string | null = null) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

export const unreachable = (): ApiError =>
  new ApiError(0, 'The service did not respond. Check your connection and try again.');

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string; readonly param?: string | null };
  readonly message?: string;
}

/** Returns the error for a response's body. Those of the sign-in routes have only a message. */
export function problemOf(status: number, body: unknown): ApiError {
  const { error, message = error?.message } = (typeof body === 'object' ? (body ?? {}) : {}) as ErrorBody;
  if (message === undefined)
    return new ApiError(status, `The service returned status ${status}. Try again in a moment.`);
  // A session has ended. The dialog that asks to sign in again says so.
  if (['not_signed_in', 'invalid_api_key'].includes(error?.code ?? '')) return new ApiError(status, '');
  return new ApiError(status, /[.!?]$/.test(message) ? message : `${message}.`, error?.param ?? null);
}

/** Returns the message about a field as a sentence at the field: `Must have 1 to 200 characters.` */
export function messageAt(field: string, { message }: Error): string {
  const text = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
  return capitalized(text);
}

/** Reports whether the service would refuse the same request again. */
export const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status > 0 && error.status < 500 && error.status !== 429;

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;
