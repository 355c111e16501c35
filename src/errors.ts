import { Unavailable } from '../packages/small/src/errors.ts';
import { keysOf } from '../packages/small/src/json.ts';

/** Every error that a caller can get, with its status. */
const catalog = {
  invalid_request: 400,
  invalid_api_key: 401,
  not_signed_in: 401,
  invalid_credentials: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  model_retired: 410,
  fingerprint_mismatch: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  headers_too_large: 431,
  rate_limit_exceeded: 429,
  internal_error: 500,
  overloaded: 503,
  unavailable: 503,
} as const;

/** The dialects that a request or a setting can choose for `/v1`. */
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
  /** A fault for which some dialects have a status or a wording of their own. */
  fault?: 'unknown model' | 'text too long';
  /** The quota or limit that refused a request. */
  exceeded?: { readonly unit: string; readonly window: string; readonly isOfSender: boolean };
  /** What was at fault if it is no field of the request, for the organization's log of requests only. */
  reason?: string;
  /** The internal reason: for the log only. */
  cause?: unknown;
};

/** An error with a message for the caller. `cause` has the details for the log. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly reason: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly bound: string | undefined;
  readonly fault: ErrorDetails['fault'];
  readonly exceeded: ErrorDetails['exceeded'];

  constructor(code: ErrorCode, publicMessage: string, details: ErrorDetails = {}) {
    super(publicMessage, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.param = details.param;
    this.reason = details.reason;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.bound = details.bound;
    this.fault = details.fault;
    this.exceeded = details.exceeded;
  }

  get status(): number {
    return catalog[this.code];
  }

  /** Returns what a message to another thread can carry of the error: all but its cause. */
  get portable() {
    const { code, message, param, retryAfterSeconds, bound, fault, exceeded } = this;
    return { code, message, details: { param, retryAfterSeconds, bound, fault, exceeded } };
  }

  /** Returns an error of another thread. */
  static of({ code, message, details }: ServiceError['portable']): ServiceError {
    return new ServiceError(code, message, details as ErrorDetails);
  }
}

/** Returns the error of a request that can't be served as it is. */
export const invalidRequest = (message: string, details?: ErrorDetails): ServiceError =>
  new ServiceError('invalid_request', message, details);

export const notFound = (message: string): ServiceError => new ServiceError('not_found', message);

/** Returns the error of a field of the request with a value that isn't served. */
export const invalidField = (param: string, message: string): ServiceError =>
  invalidRequest(message, { param });

/** The only message for refused keys, so that nobody learns why a key was refused. */
export const invalidApiKey = (): ServiceError => new ServiceError('invalid_api_key', 'Invalid API key');

/** The error of requests of an organization that the operator has suspended, with their sentence. */
export const suspended = (sentence: string): ServiceError =>
  new ServiceError('forbidden', `The organization is suspended: ${sentence}`, { reason: 'suspended' });

/** The error of routes that people use, for a request without a session or with one that has ended. */
export const notSignedIn = (message = 'Sign in first'): ServiceError =>
  new ServiceError('not_signed_in', message);

/** Returns a 503 with the cause. Returns a ServiceError unchanged, because it is already meant for callers. */
export function unavailable(reason: unknown): ServiceError {
  if (reason instanceof ServiceError) return reason;
  const { cause, retryAfterSeconds } = Unavailable.of(reason);
  return new ServiceError('unavailable', 'The service is temporarily unavailable. Try again shortly.', {
    retryAfterSeconds,
    cause,
  });
}

export const errorCodes = keysOf(catalog);

export { asError, codeOf, messageOf } from '../packages/small/src/errors.ts';
