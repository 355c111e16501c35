import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { ServiceError } from '../errors.ts';
import type { Dialect, Headers } from './dialects/dialect.ts';

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
export function rawResponse(error: ServiceError, dialect: Dialect, headers: Headers = {}): string {
  const stated = dialect.error(error);
  const body = JSON.stringify(stated.body);
  const all = { ...headers, ...errorHeaders(error) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `HTTP/1.1 ${stated.status} ${STATUS_CODES[stated.status]}\r\n` +
    `x-request-id: ${randomUUID()}\r\n${lines.join('')}` +
    'content-type: application/json; charset=utf-8\r\n' +
    'cache-control: no-store\r\nx-content-type-options: nosniff\r\n' +
    `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  );
}
