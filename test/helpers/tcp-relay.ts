import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server, as the network that can fail. */
export interface TcpRelay extends AsyncDisposable {
  /** `url` with the relay's address in place of the server's. */
  readonly url: string;
  /** From now on nothing passes, and nobody is told: as when a cable is pulled. */
  cut(): void;
  /** New connections pass again. Those from before the cut stay dead. */
  mend(): void;
  /** New connections lead to another server. Those that are open stay with theirs. */
  leadTo(url: string): void;
}

export async function openRelay(url: string): Promise<TcpRelay> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const relay = createServer((inbound) => {
    keep(inbound);
    if (isCut) return;
    const outbound = keep(connect(Number(target.port), target.hostname));
    inbound.pipe(outbound).pipe(inbound);
    inbound.once('close', () => outbound.destroy());
    outbound.once('close', () => inbound.destroy());
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('the relay has no port');
  const relayed = new URL(url);
  relayed.host = `127.0.0.1:${address.port}`;

  return {
    url: relayed.href,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend() {
      isCut = false;
    },
    leadTo(other) {
      target = new URL(other);
    },
    async [Symbol.asyncDispose]() {
      relay.close();
      for (const socket of sockets) socket.destroy();
      await once(relay, 'close');
    },
  };
}
