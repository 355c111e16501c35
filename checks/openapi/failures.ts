import type { ErrorCode } from '../../src/errors.ts';

export interface Failure {
  /** The name of the response among the document's components. */
  readonly name: string;
  readonly description: string;
  readonly example: { readonly error: ErrorCode; readonly message: string };
  /** Headers beside those of every response. */
  readonly headers: readonly ('RateLimit' | 'RetryAfter' | 'Authenticate' | 'ShouldRetry')[];
}

/** What each status of a failed request says, as the document tells it. */
export const failures: Readonly<Record<string, Failure>> = {
  400: {
    name: 'InvalidRequest',
    description: 'Malformed JSON, or a field that is wrong; the message names it. Never counted.',
    example: {
      error: 'invalid_request',
      message: 'input is missing: send a string or an array of strings',
    },
    headers: ['RateLimit'],
  },
  401: {
    name: 'Unauthorized',
    description:
      '`invalid_api_key`: there is no key or session, or the key is malformed, unknown, revoked or expired; the message never says which. `not_signed_in`: the session has ended, or a key is used where a person is needed. `invalid_credentials`: a password or code is wrong.',
    example: { error: 'invalid_api_key', message: 'Invalid API key' },
    headers: ['Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The caller is known, and may not do this; or the request came from another site’s page.',
    example: { error: 'forbidden', message: 'The role viewer may not do this' },
    headers: ['RateLimit'],
  },
  404: {
    name: 'NotFound',
    description:
      'No such thing, or an organization that the caller does not belong to: the two look the same.',
    example: { error: 'not_found', message: 'No such organization' },
    headers: ['RateLimit'],
  },
  408: {
    name: 'RequestTimeout',
    description:
      'The headers took longer than 10 seconds to arrive, or the request longer than 60, unless the service is set otherwise.',
    example: { error: 'request_timeout', message: 'The request took too long to arrive' },
    headers: ['RateLimit'],
  },
  413: {
    name: 'PayloadTooLarge',
    description:
      'The body is larger than 4 MiB with texts to embed, or 16 KiB on any other route, unless the service is set otherwise.',
    example: { error: 'payload_too_large', message: 'The body is larger than 4,096 KiB' },
    headers: ['RateLimit'],
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not sent as `application/json`.',
    example: { error: 'unsupported_media_type', message: 'Send the body as application/json' },
    headers: ['RateLimit'],
  },
  429: {
    name: 'RateLimitExceeded',
    description:
      'The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. Or the organization has as many requests in progress, or as large ones, as it may have at a time. On routes for people: more attempts, or more notices to be sent, than are taken at a time. Try again after `Retry-After`.',
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
    description: 'A defect of the service. Never counted.',
    example: { error: 'internal_error', message: 'Something went wrong on our side' },
    headers: ['RateLimit'],
  },
  503: {
    name: 'Unavailable',
    description:
      '`overloaded`: too many texts are waiting, or clients hold too many connections or too much memory. `unavailable`: the database or the model does not answer. Try again after `Retry-After`.',
    example: { error: 'overloaded', message: 'Too many texts are waiting. Try again later.' },
    headers: ['RateLimit', 'RetryAfter'],
  },
};
