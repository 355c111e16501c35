import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorFormat, ServiceError } from '../../errors.ts';
import type { App } from '../app-types.ts';
import { errorBody } from '../error-body.ts';
import type { Headers, RateLimits } from '../rate-limits.ts';

/** What Node reports of a request that it could not read: the bytes with the fault, and how many of them it read before that. */
type ClientError = NodeJS.ErrnoException & { rawPacket?: unknown; bytesParsed?: number };

// Not from node:http: importing that evaluates all of fetch, a twentieth of each start.
const reasonPhrases: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout' };

/** Responds to what never became a whole request: malformed HTTP, headers too large, a client too slow. */
export class ClientErrors {
  readonly #limits: RateLimits;
  readonly #format: ErrorFormat;
  /** What each connection sent last. */
  readonly #last = new WeakMap<Socket, { request: FastifyRequest; reply: FastifyReply }>();

  constructor(limits: RateLimits, format: ErrorFormat) {
    this.#limits = limits;
    this.#format = format;
  }

  /** Remembers requests, whose body may turn out to be malformed or too slow. */
  watch(app: App): void {
    app.addHook('onRequest', (request, reply, done) => {
      this.#last.set(request.raw.socket, { request, reply });
      done();
    });
  }

  /** The handler for Node's event `clientError`. */
  readonly respond = async (reason: ClientError, socket: Socket): Promise<void> => {
    if (reason.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const error = toServiceError(reason.code);
    const last = this.#last.get(socket);
    // Its headers have arrived, its body has not.
    const isReading = last?.request.raw.complete === false;
    const headers = await (isReading
      ? this.#limits.ofRequest(last.request, error.status)
      : this.#limitsIn(reason, error.status));
    // Responses have the order of their requests, so that each client finds its own.
    if (last && !isReading) await isClosed(last.reply.raw);
    if (!socket.writable) return;
    const body = JSON.stringify(errorBody(error, this.#format));
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(
      `HTTP/1.1 ${error.status} ${reasonPhrases[error.status]}\r\n` +
        `x-request-id: ${randomUUID()}\r\n${lines.join('')}` +
        'content-type: application/json; charset=utf-8\r\n' +
        `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      // A client that doesn't read its answer must not keep the socket.
      () => socket.destroy(),
    );
  };

  #limitsIn(reason: ClientError, status: number): Headers | Promise<Headers> {
    const authorization = authorizationIn(reason);
    return authorization === undefined ? {} : this.#limits.ofAuthorization(authorization, status);
  }
}

function isClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) resolve();
    else response.once('close', resolve);
  });
}

const blankLine = '\r\n\r\n';

/**
 * Returns the `Authorization` header of the request that could not be read, where it came in the same packet, once. Undefined when
 * the fault lies behind a whole request: its key may be another client's, who shares the connection through a proxy.
 */
function authorizationIn({ rawPacket, bytesParsed = 0 }: ClientError): string | undefined {
  if (!Buffer.isBuffer(rawPacket)) return undefined;
  const [head = ''] = rawPacket.toString('latin1').split(blankLine, 1);
  if (bytesParsed >= head.length + blankLine.length) return undefined;
  const [found, ...others] = head.matchAll(/\nauthorization:[ \t]*([^\r\n]*)/gi);
  return others.length === 0 ? found?.[1]?.trimEnd() : undefined;
}

function toServiceError(code: string | undefined): ServiceError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('request_timeout', 'The request took too long to arrive');
  }
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ServiceError('invalid_request', 'The request headers are too large');
  return new ServiceError('invalid_request', 'The request is not valid HTTP');
}
