import { connect, type Socket } from 'node:net';

export interface HttpLoad {
  readonly address: string;
  readonly connections: number;
  /** The bytes of the next request. A connection sends one at a time. */
  readonly next: (connection: number) => Buffer;
  /** Stops sending after this many milliseconds or responses, whichever comes first. */
  readonly durationMs?: number;
  readonly maxAnswers?: number;
  /** Called with the time of each response in milliseconds, from the request's first byte to the response's last. */
  readonly onAnswer?: (tookMs: number, connection: number) => void;
  /** Called for each 503, after which the connection sends its next request at once. Without it, a 503 is an error. */
  readonly onRefusal?: (connection: number) => void;
  /**
   * Never sleeps. Otherwise waking this process would add to the server's cost of each response, up to 10 µs
   * on a virtual machine.
   */
  readonly spin?: boolean;
  /** Closes the connections when it aborts, and `httpLoad` throws. */
  readonly signal?: AbortSignal;
}

export interface HttpLoadResult {
  readonly answers: number;
  readonly seconds: number;
  readonly perSecond: number;
}

/**
 * Keeps each connection busy with requests in sequence. It is a socket and a few lines of framing, because a
 * full HTTP client would use up the core on which the server is measured. Throws at any response other than
 * 200, or 503 if `onRefusal` is set.
 */
export async function httpLoad(load: HttpLoad): Promise<HttpLoadResult> {
  const { hostname, port } = new URL(load.address);
  let answers = 0;
  const maxAnswers = load.maxAnswers ?? Number.POSITIVE_INFINITY;
  const began = performance.now();
  const deadline = began + (load.durationMs ?? Number.POSITIVE_INFINITY);
  let sent = 0;

  const connection = (id: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect({
        port: Number(port),
        host: hostname,
        ...(load.signal && { signal: load.signal }),
      }).setNoDelay(true);
      const frame = answerFrame(load.onRefusal !== undefined);
      let sentAt = 0;
      const send = (): void => {
        if (sent >= maxAnswers || performance.now() >= deadline) {
          socket.destroy();
          resolve();
          return;
        }
        sent += 1;
        const request = load.next(id);
        sentAt = performance.now();
        socket.write(request);
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('end', () => reject(new Error('The server closed a connection under load')));
      socket.on('data', (chunk) => {
        try {
          const status = frame(chunk);
          if (status === undefined) return;
          if (status === 200) {
            answers += 1;
            load.onAnswer?.(performance.now() - sentAt, id);
          } else load.onRefusal?.(id);
          send();
        } catch (reason) {
          socket.destroy();
          reject(reason);
        }
      });
    });

  const stopSpinning = load.spin ? spin() : () => {};
  await Promise.all(Array.from({ length: load.connections }, (_, id) => connection(id)));
  stopSpinning();
  const seconds = (performance.now() - began) / 1_000;
  return {
    answers,
    seconds,
    perSecond: answers / seconds,
  };
}

function spin(): () => void {
  let spinning = true;
  const again = (): void => {
    if (spinning) setImmediate(again);
  };
  again();
  return () => {
    spinning = false;
  };
}

/** The bytes of a POST with a JSON body. */
export function postBytes(path: string, body: unknown, headers: Record<string, string> = {}): Buffer {
  const json = JSON.stringify(body);
  const lines = Object.entries({ host: '127.0.0.1', 'content-type': 'application/json', ...headers });
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}` +
      `content-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
  );
}

/** Returns the status for a chunk that completes a response with `Content-Length`. */
function answerFrame(mayRefuse: boolean): (chunk: Buffer) => number | undefined {
  let received = 0;
  let expected = 0;
  let head = '';
  let status = 0;
  return (chunk) => {
    received += chunk.length;
    if (expected === 0) {
      head += chunk.toString('latin1', 0, 4_096);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return undefined;
      status = Number(head.slice(9, 12));
      if (status !== 200 && !(status === 503 && mayRefuse))
        throw new Error(`Not a 200: ${head.slice(0, 400)}`);
      expected = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
    }
    if (received < expected) return undefined;
    received = 0;
    expected = 0;
    head = '';
    return status;
  };
}
