import type { Socket } from 'node:net';

/** The connections with computations in progress: how many, and the idle timeout that the connection has without them. */
const computing = new WeakMap<Socket, { count: number; readonly idleMs: number }>();

/** While an answer is computed, it is not the client who is idle: that may take minutes, and its connection stays. */
export async function withoutIdleTimeout<T>(socket: Socket, computed: Promise<T>): Promise<T> {
  const state = computing.get(socket) ?? { count: 0, idleMs: socket.timeout ?? 0 };
  computing.set(socket, state);
  state.count += 1;
  socket.setTimeout(0);
  try {
    return await computed;
  } finally {
    state.count -= 1;
    // Requests can be pipelined, and another one of this connection may still be computed.
    if (state.count === 0) {
      computing.delete(socket);
      socket.setTimeout(state.idleMs);
    }
  }
}
