import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fieldsOf } from '../../packages/small/src/json.ts';

/** What a client has really sent. */
export interface Recorded {
  /** The names between `/@` and `@` at the start of the path, which the service doesn't get. */
  readonly tag: string;
  readonly input: unknown;
  readonly encoding_format: string | undefined;
}

export interface Recorder extends AsyncDisposable {
  readonly address: string;
  /** What was sent since the last call. */
  taken(): Recorded[];
}

/** Headers that belong to one connection, or that the sender sets itself. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'host',
  'expect',
]);

/**
 * Passes requests on unchanged, and remembers their bodies. They go to `target`, or to the address that `byCase` has for
 * the part of their tag behind the colon.
 */
export async function recorder(
  target: string,
  byCase: Readonly<Record<string, string>> = {},
): Promise<Recorder> {
  const recorded: Recorded[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const [, tag = '', path = ''] = /^(?:\/@([^@]*)@)?(.*)$/.exec(request.url ?? '') ?? [];
    const { input, encoding_format: format } = fieldsOf(body === '' ? {} : JSON.parse(body));
    recorded.push({ tag, input, encoding_format: format as string | undefined });
    const sent = Object.entries(request.headers).filter(
      ([name]) => !ofConnection.has(name) && !/^http2-|^upgrade$/.test(name),
    );
    const answer = await fetch((byCase[tag.split(':')[1] ?? ''] ?? target) + (path || '/'), {
      method: request.method ?? 'POST',
      headers: { ...(Object.fromEntries(sent) as Record<string, string>), 'accept-encoding': 'identity' },
      ...(body !== '' && { body }),
    });
    const headers = [...answer.headers].filter(([name]) => !ofConnection.has(name));
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
