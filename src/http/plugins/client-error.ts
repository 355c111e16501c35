import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { type ErrorFormat, invalidRequest, ServiceError } from '../../errors.ts';
import type { Load } from '../../load/load.ts';
import type { App } from '../app-types.ts';
import { chosenDialects, dialectOf } from '../dialects/dialects.ts';
import type { RateLimits } from '../rate-limits.ts';
import { rawResponse } from '../raw-response.ts';

type Received = {
  readonly request: FastifyRequest;
  readonly response: ServerResponse;
  readonly before: ServerResponse | undefined;
};

/** Responds to incomplete requests: malformed HTTP, headers that are too large, clients that are too slow. */
export class ClientErrors {
  readonly #limits: RateLimits;
  readonly #load: Load;
  readonly #format: ErrorFormat | null;
  /** The last request of each connection, and the response to the request before it. */
  readonly #last = new WeakMap<Socket, Received>();
  /** Connections that are ending. Node reports every further packet on them as another error. */
  readonly #refused = new WeakSet<Socket>();

  constructor(limits: RateLimits, load: Load, format: ErrorFormat | null) {
    this.#limits = limits;
    this.#load = load;
    this.#format = format;
  }

  /** Remembers requests, since their bodies may turn out to be malformed or too slow. */
  watch(app: App): void {
    app.addHook('onRequest', (request, reply, done) => {
      const { socket } = request.raw;
      this.#last.set(socket, { request, response: reply.raw, before: this.#last.get(socket)?.response });
      done();
    });
  }

  /** The handler for Node's event `clientError`. */
  readonly respond = (reason: NodeJS.ErrnoException, socket: Socket): void => {
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    if (reason.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const error = toServiceError(reason.code);
    const last = this.#last.get(socket);
    // The headers of this request have arrived, but not its body.
    const reading = last?.request.raw.complete === false ? last : undefined;
    if (error.code === 'request_timeout') {
      this.#load.reach(reading ? 'BODY_TIMEOUT_SECONDS' : 'HEADER_TIMEOUT_SECONDS');
    }
    void this.#refuse(socket, error, last, reading);
  };

  /** Waits for the responses to earlier requests, since responses are sent in the order of their requests. */
  async #refuse(
    socket: Socket,
    error: ServiceError,
    last: Received | undefined,
    reading: Received | undefined,
  ): Promise<void> {
    await isClosed(reading ? reading.before : last?.response);
    const headers = reading && (await this.#limits.ofRequest(reading.request, error.status));
    // The request may have been refused before its body arrived. The client would take a second response for the next
    // request's.
    const isAnswered = reading?.response.headersSent === true;
    if (isAnswered) await isClosed(reading?.response);
    if (!socket.writable) return;
    // A client that doesn't read its response must not keep the socket.
    const dialect = last ? dialectOf(last.request, this.#format) : chosenDialects[this.#format ?? 'flat'];
    socket.end(isAnswered ? '' : rawResponse(error, dialect, headers), () => socket.destroy());
  }
}

function isClosed(response: ServerResponse | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (!response || response.closed) resolve();
    else response.once('close', resolve);
  });
}

function toServiceError(code: string | undefined): ServiceError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('request_timeout', 'The request took too long to arrive');
  }
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ServiceError(
      'headers_too_large',
      'The request line and headers are larger than 16 KiB. In a browser, delete the cookies of this domain’s other applications, or give the service a domain of its own.',
    );
  return invalidRequest('The request is not valid HTTP');
}
