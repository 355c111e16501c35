import type { Socket } from 'node:net';

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
