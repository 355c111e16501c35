import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { ErrorFormat, ServiceError } from '../errors.ts';
import type { Headers } from './rate-limits.ts';

/** Returns the body of an error in our format or in OpenAI's. */
export function errorBody(error: ServiceError, format: ErrorFormat): object {
  if (format === 'flat') return { error: error.code, message: error.message };
  return {
    error: { message: error.message, type: error.openaiType, param: error.param ?? null, code: error.code },
  };
}

/** Returns the headers of an error. `x-should-retry` keeps OpenAI's SDKs from retrying until a quota resets. */
export function errorHeaders(error: ServiceError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
  // RFC 9110, section 15.5.2.
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  if (error.code === 'rate_limit_exceeded' && (error.retryAfterSeconds ?? 0) > 60) {
    headers['x-should-retry'] = 'false';
  }
  return headers;
}

/**
 * Returns a complete response with an error, for a connection without a request to respond to. The connection ends
 * after it.
 */
export function rawResponse(error: ServiceError, format: ErrorFormat, headers: Headers = {}): string {
  const body = JSON.stringify(errorBody(error, format));
  const all = { ...headers, ...errorHeaders(error) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n` +
    `x-request-id: ${randomUUID()}\r\n${lines.join('')}` +
    'content-type: application/json; charset=utf-8\r\n' +
    'cache-control: no-store\r\nx-content-type-options: nosniff\r\n' +
    `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  );
}
