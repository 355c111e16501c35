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
  /**
   * The server does what the next message with this text asks for; its answer is lost, and the connection with it. Resolves when that has happened.
   */
  loseAnswerTo(text: string): Promise<void>;
  /** Loses no answers that were to be lost and have not been. */
  loseNone(): void;
  /** New connections lead to another server. Those that are open stay with theirs. */
  leadTo(url: string): void;
}

export async function openRelay(url: string): Promise<TcpRelay> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let isCut = false;
  const losing = new Map<string, () => void>();
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
    inbound.on('data', (message) => {
      const text = [...losing.keys()].find((wanted) => message.includes(wanted));
      if (text === undefined) return;
      const lost = losing.get(text)!;
      losing.delete(text);
      outbound.unpipe(inbound);
      outbound.once('data', () => {
        inbound.destroy();
        lost();
      });
      outbound.resume();
    });
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
    loseAnswerTo(text) {
      const { promise, resolve: lost } = Promise.withResolvers<void>();
      losing.set(text, lost);
      return promise;
    },
    loseNone: () => losing.clear(),
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
