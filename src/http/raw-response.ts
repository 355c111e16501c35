import { randomUUID } from 'node:crypto';
import type { ErrorFormat, ServiceError } from '../errors.ts';
import { errorBody, errorHeaders } from './error-body.ts';
import type { Headers } from './rate-limits.ts';

// Not from node:http: importing that evaluates all of fetch, a twentieth of each start.
const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
};

/** A whole response with an error, for a connection on which there is no request to respond to. It announces the connection's end. */
export function rawResponse(error: ServiceError, format: ErrorFormat, headers: Headers = {}): string {
  const body = JSON.stringify(errorBody(error, format));
  const all = { ...headers, ...errorHeaders(error) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `HTTP/1.1 ${error.status} ${reasonPhrases[error.status]}\r\n` +
    `x-request-id: ${randomUUID()}\r\n${lines.join('')}` +
    'content-type: application/json; charset=utf-8\r\n' +
    'cache-control: no-store\r\nx-content-type-options: nosniff\r\n' +
    `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  );
}
