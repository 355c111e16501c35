import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Bounds } from '../config/config.ts';
import type { Connections } from './connections.ts';

/** Returns a server, not yet listening, whose connections are bounded. */
export function newServer(bounds: Bounds, connections: Connections, handle: RequestListener): Server {
  const { headerTimeoutMs, idleTimeoutMs } = bounds;
  const server = createServer({
    // A hook refuses a missing header, with an error in the documented shape.
    requireHostHeader: false,
    headersTimeout: headerTimeoutMs,
    // Each reader of a body has a deadline. A body that is refused before it is read has only the idle timeout.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(headerTimeoutMs, 5_000),
    keepAliveTimeout: idleTimeoutMs,
  });
  server.setTimeout(idleTimeoutMs);
  connections.watch(server);
  server.on('request', oneAtATime(handle));
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1). Node would respond by itself.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

/** The most that may wait on a connection: more than Node reads at once, which is 64 KiB. */
const mostPipelined = { requests: 4_096, bytes: 256 << 10 };

/**
 * Handles the pipelined requests of a connection one after the other, each in a turn of its own, so that thousands in one
 * packet don't keep the requests of others waiting.
 */
function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, { requests: number; readonly fromByte: number }>();
  return (request, response) => {
    const { socket } = request;
    if (response.socket) return handle(request, response);
    const queue = waiting.get(socket) ?? { requests: 0, fromByte: socket.bytesRead };
    waiting.set(socket, queue);
    queue.requests += 1;
    const { requests, bytes } = mostPipelined;
    if (queue.requests > requests || socket.bytesRead - queue.fromByte > bytes) socket.destroy();
    // Emitted when the responses before this one have been sent.
    response.once('socket', () =>
      setImmediate(() => {
        queue.requests -= 1;
        if (queue.requests === 0) waiting.delete(socket);
        handle(request, response);
      }),
    );
  };
}

/** Connections with computations in progress: how many, and the idle timeout to restore. */
const computing = new WeakMap<Socket, { count: number; readonly idleMs: number }>();

/** Keeps the connection open during a computation, which may take minutes: the client is not idle then. */
export async function withoutIdleTimeout<T>(socket: Socket, computed: Promise<T>): Promise<T> {
  const state = computing.get(socket) ?? { count: 0, idleMs: socket.timeout ?? 0 };
  computing.set(socket, state);
  state.count += 1;
  socket.setTimeout(0);
  try {
    return await computed;
  } finally {
    state.count -= 1;
    // Requests can be pipelined, so the connection may have another computation in progress.
    if (state.count === 0) {
      computing.delete(socket);
      socket.setTimeout(state.idleMs);
    }
  }
}
