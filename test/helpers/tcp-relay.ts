import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** Stands between a client and a server, in place of a network that can fail. */
export interface TcpRelay extends AsyncDisposable {
  /** `url` with the relay's address in place of the server's. */
  readonly url: string;
  /**
   * From now on nothing passes, without an error on either side, as when a cable is pulled. `way`: only this
   * direction is cut.
   */
  cut(way?: 'both' | 'requests' | 'answers'): void;
  /** New connections pass again. Those from before the cut stay dead. */
  mend(): void;
  /** From now on everything arrives this much later. */
  delay(oneWayMs: number): void;
  /** Ends all connections at once with a reset. */
  reset(): void;
  /**
   * The server executes the next message with this text, but its response is lost, and the connection with
   * it. Resolves when that has happened.
   */
  loseAnswerTo(text: string): Promise<void>;
  /** Cancels the losses that have not happened yet. */
  loseNone(): void;
  /** New connections lead to another server. Open ones keep theirs. */
  leadTo(url: string): void;
}

export async function openRelay(url: string): Promise<TcpRelay> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  const lost = { requests: false, answers: false };
  let oneWayMs = 0;
  const losing = new Map<string, () => void>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  /** Passes data on unless it is to be lost. After one loss, a connection stays silent forever. */
  const pass = (way: 'requests' | 'answers'): Transform => {
    let isDead = false;
    // The relay accepts a connection at once, so the first request waits for the round trip of connecting.
    let dueMs = way === 'requests' && oneWayMs > 0 ? performance.now() + 3 * oneWayMs : 0;
    const onTheWay: Buffer[] = [];
    let ended: (() => void) | undefined;
    const arrive = (): void => {
      const message = onTheWay.shift();
      isDead ||= lost[way];
      if (!isDead && !passing.destroyed) passing.push(message);
      if (onTheWay.length === 0) ended?.();
    };
    const passing = new Transform({
      transform(message: Buffer, _encoding, done) {
        onTheWay.push(message);
        const nowMs = performance.now();
        // Data keep their order, even when the delay changes.
        dueMs = Math.max(dueMs, nowMs + oneWayMs);
        if (dueMs > nowMs) setTimeout(arrive, dueMs - nowMs);
        else arrive();
        done();
      },
      flush(done) {
        if (onTheWay.length === 0) done();
        else ended = done;
      },
    });
    return passing;
  };
  const relay = createServer((inbound) => {
    keep(inbound);
    const outbound = keep(connect(Number(target.port), target.hostname));
    inbound.pipe(pass('requests')).pipe(outbound);
    const answers = outbound.pipe(pass('answers'));
    answers.pipe(inbound);
    inbound.on('data', (message) => {
      const text = [...losing.keys()].find((wanted) => message.includes(wanted));
      if (text === undefined) return;
      const isLost = losing.get(text)!;
      losing.delete(text);
      answers.unpipe(inbound);
      answers.once('data', () => {
        inbound.destroy();
        isLost();
      });
      answers.resume();
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
    cut(way = 'both') {
      lost.requests = way !== 'answers';
      lost.answers = way !== 'requests';
    },
    mend() {
      lost.requests = false;
      lost.answers = false;
    },
    delay(ms) {
      oneWayMs = ms;
    },
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
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
