import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A server that keeps the requests it receives. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  /** How it responds from now on; null for not at all. */
  answer(status: number | null, headers?: Record<string, string>): void;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  let answer: { status: number; headers: Record<string, string> } | null = { status: 204, headers: {} };
  const server = createServer(async (request, response) => {
    // A sender that gives up in the middle has sent nothing.
    const body = await text(request).catch(() => null);
    if (body === null) return;
    received.push({ path: request.url ?? '', headers: flat(request.headers), body });
    if (answer) response.writeHead(answer.status, answer.headers).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: (status, headers = {}) => {
      answer = status === null ? null : { status, headers };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
