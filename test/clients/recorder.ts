import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a client has really sent. */
export interface Recorded {
  readonly input: unknown;
  readonly encoding_format: string | undefined;
}

export interface Recorder extends AsyncDisposable {
  readonly address: string;
  /** What was sent since the last call. */
  taken(): Recorded[];
}

/** Passes requests on to `target` unchanged, and remembers their bodies. */
export async function recorder(target: string): Promise<Recorder> {
  const recorded: Recorded[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    recorded.push(JSON.parse(body));
    const { authorization = '', 'x-error-format': format } = request.headers;
    const answer = await fetch(target + request.url, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        ...(typeof format === 'string' && { 'x-error-format': format }),
      },
      body,
    });
    const headers = [...answer.headers].filter(([name]) => !['connection', 'keep-alive'].includes(name));
    response.writeHead(answer.status, Object.fromEntries(headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: () => recorded.splice(0),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
