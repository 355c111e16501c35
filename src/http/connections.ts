import { once } from 'node:events';
import type { Server as HttpServer, ServerResponse } from 'node:http';
import { type BlockList, Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { invalidRequest, ServiceError } from '../errors.ts';
import { networkOf } from '../lib/network-of.ts';
import { isInList, networkList } from '../lib/networks.ts';
import { type Load, nameOf } from '../load/load.ts';
import type { App } from './app-types.ts';
import type { Dialect } from './dialects/dialect.ts';
import { rawResponse } from './raw-response.ts';

/** The state of an open connection. */
interface Connection {
  readonly network: string;
  /** Requests in progress. */
  requests: number;
  /** Bytes received by the end of the last response. If more have arrived since, a request has begun. */
  readBytes: number;
  /** The response to the last request. */
  last: ServerResponse | undefined;
  /** The time at which that response ended, on the clock of `performance.now`. */
  endedMs: number;
}

/**
 * How long an idle connection of a trusted proxy is held, in ms: longer than the hour for which Envoy keeps its own. A
 * proxy that uses a connection as the service closes it loses the request.
 */
const proxyIdleMs = 3_900_000;

/** How long a connection beyond the bound of its address waits for another one to close, in ms. */
const maxWaitMs = 300_000;
/** How often idle connections end for those that wait, and how long they have been idle then, in ms. */
const makeRoomEveryMs = 1_000;
/** How many bytes Node reads of a connection that waits. */
const bytesOfWaiting = 64 << 10;

/**
 * Limits the connections, in total and per address, and knows which ones have a request in progress. Connections beyond
 * the bound of their address wait for others of it to close: many programs send all that they have at once.
 */
export class Connections {
  readonly #load: Load;
  readonly #dialect: Dialect;
  readonly #trusted: BlockList;
  readonly #perNetwork = new Map<string, number>();
  readonly #open = new Map<Socket, Connection>();
  /** The connections that wait, by network and in order of arrival, with the function that begins each. */
  readonly #waiting = new Map<string, Map<Socket, () => void>>();
  #waitingCount = 0;
  /** Runs while connections wait. */
  #makingRoom: NodeJS.Timeout | undefined;
  readonly #mostWaiting: number;

  /** Connections of `trustedProxies`, which are addresses and networks, are limited only in total. */
  constructor(load: Load, trustedProxies: readonly string[], dialect: Dialect) {
    this.#load = load;
    this.#dialect = dialect;
    const { maxConnections, maxHeldBytes } = load.bounds;
    // The rest is for the connections of other addresses.
    this.#mostWaiting = Math.min((maxConnections * 3) >> 2, Math.floor(maxHeldBytes / bytesOfWaiting));
    this.#trusted = networkList(trustedProxies);
  }

  /** Must be called before the server has a handler of requests. */
  watch(server: HttpServer): void {
    server.maxConnections = this.#load.bounds.maxConnections;
    server.on('drop', (dropped) => this.#load.reach('MAX_CONNECTIONS', addressOf(dropped)));
    // Node's own listener reads the requests of a connection, which may have to wait.
    const [serve] = server.listeners('connection') as [(this: HttpServer, socket: Socket) => void];
    server.removeListener('connection', serve);
    server.on('connection', (socket) => this.#accept(socket, () => serve.call(server, socket)));
    server.on('timeout', (socket) => this.#endIdle(socket));
    server.on('request', ({ socket }, response) => {
      const connection = this.#open.get(socket);
      if (this.#load.isDraining || this.#waiting.has(connection?.network ?? ''))
        response.setHeader('Connection', 'close');
      if (!connection) return;
      connection.requests += 1;
      connection.last = response;
      response.once('close', () => {
        connection.requests -= 1;
        connection.readBytes = socket.bytesRead;
        connection.endedMs = performance.now();
      });
    });
  }

  /** Node destroys no connection by itself if the server has a handler of timeouts. */
  #endIdle(socket: Socket): void {
    const isIdle = this.#open.get(socket)?.requests === 0 && socket.timeout !== proxyIdleMs;
    if (isIdle && isInList(this.#trusted, socket.remoteAddress ?? '')) socket.setTimeout(proxyIdleMs);
    else socket.destroy();
  }

  /**
   * Ends the connections on which no request has begun, each when its last response has been sent. Begins the connections
   * that wait, because their requests may have arrived.
   */
  endAllIdle(): void {
    for (const others of this.#waiting.values()) for (const begin of others.values()) begin();
    for (const [socket, connection] of this.#open) if (isIdle(socket, connection)) socket.destroySoon();
  }

  /** The handler of Node's event `clientError`: malformed HTTP, and headers that are too large or too slow. */
  readonly refuseMalformed = (reason: NodeJS.ErrnoException, socket: Socket): void => {
    // Node reports every further packet on a connection that is ending as another error.
    if (reason.code === 'ECONNRESET' || !socket.writable) return;
    const error = refusalOf(reason.code);
    if (error.code === 'request_timeout') this.#load.reach('HEADER_TIMEOUT_SECONDS', addressOf(socket));
    const { requests = 0, last } = this.#open.get(socket) ?? {};
    const isOfLast = requests === 1 && last?.headersSent === false && !last.req.complete;
    // The client would take it for the response to an earlier request.
    if (requests > 0 && !isOfLast) socket.destroySoon();
    else this.#refuse(socket, error);
  };

  #accept(socket: Socket, serve: () => void): void {
    // Node listens to the errors of the connections that it reads, and of no others.
    socket.on('error', ignore);
    const address = socket.remoteAddress ?? '';
    const network = networkOf(address);
    const begin = () => {
      this.#admit(socket, network);
      serve();
    };
    const most = this.#load.bounds.maxConnectionsPerAddress;
    if ((this.#perNetwork.get(network) ?? 0) < most || isInList(this.#trusted, address)) begin();
    else if (this.#waitingCount < this.#mostWaiting) this.#wait(socket, network, begin);
    else this.#refuseOne(socket);
  }

  #wait(socket: Socket, network: string, begin: () => void): void {
    this.#load.reach('MAX_CONNECTIONS_PER_ADDRESS');
    const others = this.#waiting.get(network) ?? new Map<Socket, () => void>();
    this.#waiting.set(network, others);
    const timer = setTimeout(() => {
      leave();
      this.#refuseOne(socket);
    }, maxWaitMs);
    const leave = () => {
      if (!others.delete(socket)) return;
      clearTimeout(timer);
      socket.off('close', leave).off('end', destroy);
      this.#waitingCount -= 1;
      if (this.#waitingCount === 0) clearInterval(this.#makingRoom);
      if (others.size === 0) this.#waiting.delete(network);
    };
    // Node would notice too late that the client has gone: it begins to listen when this has happened.
    socket.on('close', leave).on('end', destroy);
    others.set(socket, () => {
      leave();
      begin();
    });
    this.#waitingCount += 1;
    if (this.#waitingCount === 1)
      this.#makingRoom = setInterval(() => this.#makeRoom(), makeRoomEveryMs).unref();
  }

  /** Ends connections for others of their network that wait: each after its response, or when it has been idle for a while. */
  #makeRoom(): void {
    // A client may be about to send its next request on one that has just become idle.
    const idleSinceMs = performance.now() - makeRoomEveryMs;
    const wanted = new Map([...this.#waiting].map(([network, others]) => [network, others.size]));
    for (const [socket, connection] of this.#open) {
      const { network, last, endedMs } = connection;
      const count = wanted.get(network) ?? 0;
      if (count === 0) continue;
      if (last?.headersSent === false) last.setHeader('Connection', 'close');
      if (endedMs >= idleSinceMs || !isIdle(socket, connection)) continue;
      socket.destroySoon();
      wanted.set(network, count - 1);
    }
  }

  #admit(socket: Socket, network: string): void {
    this.#perNetwork.set(network, (this.#perNetwork.get(network) ?? 0) + 1);
    const endedMs = Number.POSITIVE_INFINITY;
    this.#open.set(socket, { network, requests: 0, readBytes: 0, last: undefined, endedMs });
    this.#load.connections += 1;
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#load.connections -= 1;
      const others = this.#perNetwork.get(network)! - 1;
      if (others === 0) this.#perNetwork.delete(network);
      else this.#perNetwork.set(network, others);
      const [next] = this.#waiting.get(network)?.values() ?? [];
      next?.();
    });
  }

  #refuseOne(socket: Socket): void {
    const most = this.#load.bounds.maxConnectionsPerAddress;
    this.#load.reach('MAX_CONNECTIONS_PER_ADDRESS', addressOf(socket));
    const message =
      `This address has ${most.toLocaleString('en-US')} connections open, which is the maximum ` +
      '(MAX_CONNECTIONS_PER_ADDRESS, or TRUSTED_PROXIES if it is your proxy), and too many that wait. Try again ' +
      'later, or send more texts per request.';
    this.#refuse(socket, new ServiceError('overloaded', message, { retryAfterSeconds: 1 }));
  }

  #refuse(socket: Socket, error: ServiceError): void {
    socket.write(rawResponse(error, this.#dialect));
    socket.destroySoon();
  }
}

/** Reports whether no request has begun on a connection. */
const isIdle = (socket: Socket, { requests, readBytes }: Connection): boolean =>
  requests === 0 && socket.bytesRead === readBytes;

const ignore = (): void => {};

function destroy(this: Socket): void {
  this.destroy();
}

/** Returns the other end of a connection as the log names it. */
const addressOf = (peer: Pick<Socket, 'remoteAddress'> | undefined): string =>
  nameOf({ kind: 'address', id: String(peer?.remoteAddress) });

function refusalOf(code: string | undefined): ServiceError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('request_timeout', 'The headers arrived too slowly (HEADER_TIMEOUT_SECONDS)');
  }
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ServiceError(
      'headers_too_large',
      'The request line and headers are larger than 16 KiB. In a browser, delete the cookies of this domain’s ' +
        'other applications, or give the service a domain of its own.',
    );
  return invalidRequest('The request is not valid HTTP');
}

const drainEveryMs = 50;
/** How long a proxy that has just connected has to send its request. */
const lastRequestsMs = 500;

/**
 * Ends connections as they become idle during a shutdown. A connection that is kept alive would otherwise keep the
 * server open until its client leaves. After draining, new connections have a moment to send their request first.
 */
export function drainConnections(app: App, load: Load, connections: Connections): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    const closed = once(app.server, 'close');
    // Stops listening, and no more. The method of HTTP's server, which Fastify calls later, also cuts connections
    // without a request, and responses that are written but not sent yet.
    Server.prototype.close.call(app.server);
    if (load.isDraining) await sleep(lastRequestsMs);
    const sweep = setInterval(() => connections.endAllIdle(), drainEveryMs);
    await closed;
    clearInterval(sweep);
  });
}
