import { Agent, request } from 'node:http';
import type { Received } from './documented.ts';

export interface Question {
  readonly method: string;
  /** As it is sent, percent signs included. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** Sends requests to one service over a few connections. A response that takes too long is a fault of the service. */
export class Asker {
  readonly #port: number;
  readonly #agent: Agent;
  readonly #deadlineMs: number;

  constructor(address: string, options: { connections: number; deadlineMs?: number }) {
    this.#port = Number(new URL(address).port);
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.connections });
    this.#deadlineMs = options.deadlineMs ?? 120_000;
  }

  /** Throws when there is no response. */
  ask({ method, path, headers, body }: Question): Promise<Received> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const asked = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          agent: this.#agent,
          method,
          path,
          headers: { ...length, ...headers },
          signal: AbortSignal.timeout(this.#deadlineMs),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString('utf8'),
            });
          });
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
