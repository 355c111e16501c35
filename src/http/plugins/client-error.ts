import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { type ErrorFormat, ServiceError } from '../../errors.ts';
import { errorBody } from '../error-body.ts';

// Not from node:http: importing that evaluates all of fetch, a twentieth of each start.
const reasonPhrases: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout' };

/** Answers what never became a request: malformed HTTP, headers too large, a client too slow. */
export function answerClientError(reason: NodeJS.ErrnoException, socket: Socket, format: ErrorFormat): void {
  if (reason.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = toServiceError(reason.code);
  const body = JSON.stringify(errorBody(error, format));
  socket.end(
    `HTTP/1.1 ${error.status} ${reasonPhrases[error.status]}\r\n` +
      `x-request-id: ${randomUUID()}\r\n` +
      'content-type: application/json; charset=utf-8\r\n' +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    // A client that doesn't read its answer must not keep the socket.
    () => socket.destroy(),
  );
}

function toServiceError(code: string | undefined): ServiceError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('request_timeout', 'The request took too long to arrive');
  }
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ServiceError('invalid_request', 'The request headers are too large');
  return new ServiceError('invalid_request', 'The request is not valid HTTP');
}
