import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { ServiceError } from '../errors.ts';
import { type Dialect, errorHeaders } from './dialects/dialect.ts';

/**
 * Returns a complete response with an error, for a connection without a request to respond to. The connection ends
 * after it.
 */
export function rawResponse(error: ServiceError, dialect: Dialect): string {
  const stated = dialect.error(error);
  const body = JSON.stringify(stated.body);
  const lines = Object.entries(errorHeaders(error)).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `HTTP/1.1 ${stated.status} ${STATUS_CODES[stated.status]}\r\n` +
    `x-request-id: ${randomUUID()}\r\n${lines.join('')}` +
    'content-type: application/json; charset=utf-8\r\n' +
    'cache-control: no-store\r\nx-content-type-options: nosniff\r\n' +
    `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  );
}
