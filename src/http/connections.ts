import { once } from 'node:events';
import type { Server as HttpServer, IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';
import { BlockList, isIP, isIPv6, Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { ServiceError } from '../errors.ts';
import { networkOf } from '../lib/network-of.ts';
import type { BoundName, Load } from '../load/load.ts';
import type { App } from './app-types.ts';
import type { Dialect } from './dialects/dialect.ts';
import { rawResponse } from './raw-response.ts';

const sweepEveryMs = 5_000;

/** How long a client may keep sending after its response. */
const lingerMs = 1_000;
const maxLingerBytes = 4 << 20;

/** How many requests beyond `MAX_REQUESTS_PER_CONNECTION` are ignored before the connection is ended. */
const maxIgnoredRequests = 64;

/**
 * Node reads and drops the rest of a refused body that is at most this many times the maximum, so that a client that is
 * still sending the body gets the response.
 */
export const droppedBodies = 4;

/** The state of an open connection. */
interface Connection {
  /** Requests in progress, including those that get no response. */
  requests: number;
  /** Bytes of responses that waited for the client at the last sweep. */
  unreadBytes: number;
  /** When `unreadBytes` last changed. */
  unreadSinceMs: number;
  /** Bytes received by the end of the last response. If more have arrived since, a request has begun. */
  readBytes: number;
  /** When the last response ended, or the connection began. */
  idleSinceMs: number;
  /** The last request with a body, and what had arrived at a time. */
  body: { readonly request: IncomingMessage; readonly sinceMs: number; readonly bytes: number } | undefined;
}

/** Routes whose bodies may take any time, as long as some of it arrives. */
const uploads = /^\/(?:openai\/(?:v1\/)?|v1\/(?:organizations\/[^/?]+\/)?)files(?:\?|$)/;
const minUploadBytes = 64 << 10;

/** Limits the connections, in total and per address, and ends those whose clients don't read, or send endlessly. */
export class Connections {
  readonly #load: Load;
  readonly #dialect: Dialect;
  readonly #trusted = new BlockList();
  readonly #perNetwork = new Map<string, number>();
  readonly #open = new Map<Socket, Connection>();
  readonly #beyondBound = new WeakSet<IncomingMessage>();
  readonly #maxDroppedBytes: number;
  #sweep: NodeJS.Timeout | undefined;

  /** Connections of `trustedProxies`, which are addresses and networks, are limited only in total. */
  constructor(load: Load, trustedProxies: readonly string[], dialect: Dialect) {
    this.#load = load;
    this.#dialect = dialect;
    this.#maxDroppedBytes = droppedBodies * load.bounds.maxBodyBytes;
    for (const entry of trustedProxies) {
      const [address = '', prefix] = entry.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      this.#trusted.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
    }
  }

  watch(server: HttpServer): void {
    server.on('connection', (socket) => this.#accept(socket));
    const { unreadTimeoutMs, bodyTimeoutMs } = this.#load.bounds;
    this.#sweep = setInterval(
      () => {
        this.#endUnread();
        this.#endSlowBodies(server);
        this.#endWithoutRequest();
      },
      Math.min(sweepEveryMs, unreadTimeoutMs, bodyTimeoutMs),
    ).unref();
  }

  /**
   * Returns a listener that counts a connection's requests, and ignores those that are more than one beyond the limit.
   * A hook can't do this: none is called for a request that can't be routed, and one packet can hold thousands.
   */
  bounded(handle: RequestListener): RequestListener {
    const max = this.#load.bounds.maxRequestsPerConnection;
    return (request, response) => {
      if (this.#load.isDraining) response.setHeader('Connection', 'close');
      const connection = this.#open.get(request.socket);
      if (connection) {
        connection.requests += 1;
        const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
        if (length !== undefined || coding !== undefined) {
          const { bytesRead: bytes } = request.socket;
          connection.body = { request, sinceMs: performance.now(), bytes };
        }
        response.once('close', () => {
          connection.requests -= 1;
          connection.readBytes = request.socket.bytesRead;
          connection.idleSinceMs = performance.now();
        });
        if (mayGoOn(request.headers, this.#maxDroppedBytes)) {
          response.once('finish', () => this.#endUnfinished(request));
        }
        if (connection.requests > max + 1) {
          this.#ignore(request.socket, connection);
          return;
        }
        if (connection.requests > max) this.#beyondBound.add(request);
      }
      handle(request, response);
    };
  }

  /**
   * Ends the connection of a request whose response has been sent but whose body continues: Node would read and drop it
   * endlessly. The client has a moment to stop by itself, because an immediate reset would lose the response.
   */
  #endUnfinished(request: IncomingMessage): void {
    const { socket } = request;
    if (request.complete || socket.destroyed) return;
    const { bytesRead } = socket;
    const untilMs = performance.now() + lingerMs;
    const look = setInterval(() => {
      if (request.complete || socket.destroyed) {
        clearInterval(look);
      } else if (performance.now() > untilMs || socket.bytesRead - bytesRead > maxLingerBytes) {
        clearInterval(look);
        this.#load.reach('MAX_BODY_KB');
        socket.destroy();
      }
    }, lingerMs / 20).unref();
  }

  endIdle(socket: Socket): void {
    this.#load.reach('IDLE_TIMEOUT_SECONDS');
    socket.destroy();
  }

  /** Ends the connections on which no request has begun, each when its last response has been sent. */
  endAllIdle(): void {
    for (const [socket, { requests, readBytes }] of this.#open) {
      if (requests === 0 && socket.bytesRead === readBytes) socket.destroySoon();
    }
  }

  /** Reports whether a request is one more than its connection may have in progress. */
  isBeyondBound(request: IncomingMessage): boolean {
    return this.#beyondBound.has(request);
  }

  close(): void {
    clearInterval(this.#sweep);
  }

  #accept(socket: Socket): void {
    const { bounds } = this.#load;
    const address = socket.remoteAddress ?? '';
    const network = networkOf(address);
    const ofNetwork = (this.#perNetwork.get(network) ?? 0) + 1;
    if (this.#open.size >= bounds.maxConnections) {
      this.#refuse(socket, 'MAX_CONNECTIONS');
    } else if (ofNetwork > bounds.maxConnectionsPerAddress && !this.#isTrusted(address)) {
      this.#refuse(socket, 'MAX_CONNECTIONS_PER_ADDRESS');
    } else {
      this.#admit(socket, network, ofNetwork);
    }
  }

  #admit(socket: Socket, network: string, ofNetwork: number): void {
    this.#perNetwork.set(network, ofNetwork);
    this.#open.set(socket, {
      requests: 0,
      unreadBytes: 0,
      unreadSinceMs: 0,
      readBytes: 0,
      idleSinceMs: performance.now(),
      body: undefined,
    });
    this.#load.connections += 1;
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#load.connections -= 1;
      const others = this.#perNetwork.get(network)! - 1;
      if (others === 0) this.#perNetwork.delete(network);
      else this.#perNetwork.set(network, others);
    });
  }

  /**
   * Ignores a request: the one before it gets the connection's last response. Ends the connection if there are too
   * many.
   */
  #ignore(socket: Socket, { requests }: Connection): void {
    const max = this.#load.bounds.maxRequestsPerConnection + maxIgnoredRequests;
    // Requests that arrived in the same packet still get here.
    if (requests <= max || socket.destroyed) return;
    this.#load.reach('MAX_REQUESTS_PER_CONNECTION');
    socket.destroy();
  }

  #isTrusted(address: string): boolean {
    if (isIP(address) === 0) return false;
    return this.#trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  #refuse(socket: Socket, name: BoundName): void {
    this.#load.reach(name);
    const error = new ServiceError('overloaded', 'Too many connections are open. Try again later.', {
      retryAfterSeconds: 1,
    });
    socket.end(rawResponse(error, this.#dialect), () => socket.destroy());
  }

  /** Ends connections on which no request has begun, although bytes such as empty lines may have arrived. */
  #endWithoutRequest(): void {
    const { idleTimeoutMs, headerTimeoutMs } = this.#load.bounds;
    const untilMs = performance.now() - idleTimeoutMs - headerTimeoutMs;
    for (const [socket, { requests, idleSinceMs }] of this.#open) {
      if (requests === 0 && idleSinceMs < untilMs) this.endIdle(socket);
    }
  }

  /**
   * Refuses requests whose bodies take too long to arrive. Node's own timeout knows no exception: for an upload, only the
   * next 64 KiB have to arrive in that time.
   */
  #endSlowBodies(server: Server): void {
    const nowMs = performance.now();
    for (const [socket, connection] of this.#open) {
      const { body } = connection;
      if (!body || nowMs - body.sinceMs < this.#load.bounds.bodyTimeoutMs) continue;
      const { request } = body;
      const isMoving = socket.bytesRead - body.bytes >= minUploadBytes && uploads.test(request.url ?? '');
      connection.body = isMoving ? { request, sinceMs: nowMs, bytes: socket.bytesRead } : undefined;
      if (isMoving || request.complete) continue;
      const reason = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', reason, socket);
    }
  }

  /**
   * Ends connections whose clients leave a response, or the part of it that was written last, unread. Node's own timeout
   * would restart when the client sends anything.
   */
  #endUnread(): void {
    const nowMs = performance.now();
    for (const [socket, connection] of this.#open) {
      const bytes = socket.writableLength;
      if (bytes === 0 || bytes !== connection.unreadBytes) {
        connection.unreadBytes = bytes;
        connection.unreadSinceMs = nowMs;
      } else if (nowMs - connection.unreadSinceMs >= this.#load.bounds.unreadTimeoutMs) {
        this.#load.reach('UNREAD_TIMEOUT_SECONDS');
        socket.destroy();
      }
    }
  }
}

/** Reports whether a body may exceed what is read of a refused one. A chunked body may have any length. */
function mayGoOn(headers: IncomingHttpHeaders, maxBytes: number): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > maxBytes;
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
    // Stops listening, and no more. The method of HTTP's server, which Fastify calls later, also cuts connections without
    // a request, and responses that are written but not sent yet.
    Server.prototype.close.call(app.server);
    if (load.isDraining) await setTimeout(lastRequestsMs);
    const sweep = setInterval(() => connections.endAllIdle(), drainEveryMs);
    await closed;
    clearInterval(sweep);
  });
}
