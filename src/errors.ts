import { fieldsOf, keysOf } from './lib/json.ts';

/** Every error that a caller can get: its status, and its type in OpenAI's error shape. */
const catalog = {
  invalid_request: { status: 400, openaiType: 'invalid_request_error' },
  invalid_api_key: { status: 401, openaiType: 'authentication_error' },
  not_signed_in: { status: 401, openaiType: 'authentication_error' },
  invalid_credentials: { status: 401, openaiType: 'authentication_error' },
  forbidden: { status: 403, openaiType: 'permission_error' },
  not_found: { status: 404, openaiType: 'invalid_request_error' },
  method_not_allowed: { status: 405, openaiType: 'invalid_request_error' },
  request_timeout: { status: 408, openaiType: 'invalid_request_error' },
  payload_too_large: { status: 413, openaiType: 'invalid_request_error' },
  unsupported_media_type: { status: 415, openaiType: 'invalid_request_error' },
  headers_too_large: { status: 431, openaiType: 'invalid_request_error' },
  rate_limit_exceeded: { status: 429, openaiType: 'insufficient_quota' },
  internal_error: { status: 500, openaiType: 'server_error' },
  overloaded: { status: 503, openaiType: 'server_error' },
  unavailable: { status: 503, openaiType: 'server_error' },
} as const;

/** The shape of this catalog, or that of OpenAI's API. */
export const errorFormats = ['flat', 'openai'] as const;
export type ErrorFormat = (typeof errorFormats)[number];

export type ErrorCode = keyof typeof catalog;

type ErrorDetails = {
  /** The request field at fault, as OpenAI's `param`. */
  param?: string;
  /** Whole seconds after which a retry makes sense. */
  retryAfterSeconds?: number;
  /** The name of the setting that sets the exceeded bound, if the bound is counted. */
  bound?: string;
  /** The internal reason: for the log only. */
  cause?: unknown;
};

/** An error with a message for the caller. `cause` has the details for the log. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly bound: string | undefined;

  constructor(code: ErrorCode, publicMessage: string, details: ErrorDetails = {}) {
    super(publicMessage, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.param = details.param;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.bound = details.bound;
  }

  get status(): number {
    return catalog[this.code].status;
  }

  get openaiType(): string {
    return catalog[this.code].openaiType;
  }
}

/** The only message for refused keys, so that nobody learns why a key was refused. */
export const invalidApiKey = (): ServiceError => new ServiceError('invalid_api_key', 'Invalid API key');

/** The error of routes that people use, for a request without a session or with one that has ended. */
export const notSignedIn = (): ServiceError => new ServiceError('not_signed_in', 'Sign in first');

/** Returns a 503 with the cause. Returns a ServiceError unchanged, because it is already meant for callers. */
export const unavailable = (cause: unknown, retryAfterSeconds = 1): ServiceError =>
  cause instanceof ServiceError
    ? cause
    : new ServiceError('unavailable', 'The service is temporarily unavailable. Try again shortly.', {
        retryAfterSeconds,
        cause,
      });

export const errorCodes = keysOf(catalog);

/** Returns the message of a caught error. */
export function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

/** Returns the code of a caught error, such as `ENOENT` or an SQLSTATE; undefined if it has none. */
export function codeOf(reason: unknown): string | undefined {
  const { code } = fieldsOf(reason);
  return typeof code === 'string' ? code : undefined;
}

/** Returns what was caught as an Error. */
export function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
