import type { ErrorCode } from '../../src/errors.ts';

export interface Failure {
  /** The name of the response in the document's components. */
  readonly name: string;
  readonly description: string;
  readonly example: { readonly error: ErrorCode; readonly message: string };
  /** Headers in addition to those of every response. */
  readonly headers: readonly ('RateLimit' | 'RetryAfter' | 'Authenticate' | 'ShouldRetry')[];
}

/** The descriptions of the responses to failed requests, by status. */
export const failures: Readonly<Record<string, Failure>> = {
  400: {
    name: 'InvalidRequest',
    description:
      'The JSON is malformed or a field is wrong; the message names the field. The request is not counted.',
    example: {
      error: 'invalid_request',
      message: 'input is missing: send a string or an array of strings',
    },
    headers: ['RateLimit'],
  },
  401: {
    name: 'Unauthorized',
    description:
      '`invalid_api_key`: the request has no key or session, or the key is malformed, unknown, revoked or expired; the message does not say which. `not_signed_in`: the session has ended, or the route requires a session. `invalid_credentials`: a password or code is wrong.',
    example: { error: 'invalid_api_key', message: 'Invalid API key' },
    headers: ['Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The caller does not have permission, or the request came from another site’s page.',
    example: { error: 'forbidden', message: 'The role viewer may not do this' },
    headers: ['RateLimit'],
  },
  404: {
    name: 'NotFound',
    description:
      'There is no such resource, or the caller does not belong to the organization. The response does not distinguish the two.',
    example: { error: 'not_found', message: 'No such organization' },
    headers: ['RateLimit'],
  },
  408: {
    name: 'RequestTimeout',
    description:
      'The headers took longer than 10 seconds to arrive, or the request longer than 60 seconds. Both limits can be configured.',
    example: { error: 'request_timeout', message: 'The body took too long to arrive (BODY_TIMEOUT_SECONDS)' },
    headers: ['RateLimit'],
  },
  410: {
    name: 'ModelRetired',
    description: 'The operator has retired the model. The message names its replacement, if there is one.',
    example: { error: 'model_retired', message: 'old was retired on 2027-01-31. Use new instead' },
    headers: ['RateLimit'],
  },
  412: {
    name: 'FingerprintMismatch',
    description:
      'The request expects vectors with another fingerprint than that of the model. The message has both. Nothing is computed or counted.',
    example: {
      error: 'fingerprint_mismatch',
      message: 'The request expects vectors with the fingerprint "a1b2…", but new has c3d4… here',
    },
    headers: ['RateLimit'],
  },
  413: {
    name: 'PayloadTooLarge',
    description:
      'The body is larger than 4 MiB on a route that embeds texts, or 16 KiB on other routes. Both limits can be configured.',
    example: {
      error: 'payload_too_large',
      message: 'The body is larger than 4,096 KiB (MAX_BODY_KB). Send fewer texts per request.',
    },
    headers: ['RateLimit'],
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The `Content-Type` is not `application/json`.',
    example: { error: 'unsupported_media_type', message: 'Send the body as application/json' },
    headers: ['RateLimit'],
  },
  429: {
    name: 'RateLimitExceeded',
    description:
      'The organization’s quota is used up: texts in the cache are still answered, and other requests again from `X-RateLimit-Reset` on. Or the organization has too many or too large requests in progress. On routes for people: there were too many attempts, or too many messages are waiting to be sent. Try again after `Retry-After`.',
    example: {
      error: 'rate_limit_exceeded',
      message: 'Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z',
    },
    headers: ['RateLimit', 'RetryAfter', 'ShouldRetry'],
  },
  431: {
    name: 'HeadersTooLarge',
    description: 'The request line and the headers are larger than 16 KiB.',
    example: { error: 'headers_too_large', message: 'The request line and headers are larger than 16 KiB' },
    headers: ['RateLimit'],
  },
  500: {
    name: 'InternalError',
    description: 'The service has failed because of a bug. The request is not counted.',
    example: { error: 'internal_error', message: 'Something went wrong on our side' },
    headers: ['RateLimit'],
  },
  503: {
    name: 'Unavailable',
    description:
      '`overloaded`: too many texts are waiting, or clients use too many connections or too much memory. `unavailable`: the database or the model does not respond. Try again after `Retry-After`.',
    example: {
      error: 'overloaded',
      message: 'Too many texts of this organization are waiting (MAX_QUEUE_TOKENS). Try again later.',
    },
    headers: ['RateLimit', 'RetryAfter'],
  },
};
