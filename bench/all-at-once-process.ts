import { once } from 'node:events';
import { request } from 'node:http';

// Sends texts as Open WebUI 0.12 does by default: each in a request of its own, each request on a connection of its own, all
// at the same time, and none again. Reports how many got which status. It is a process of its own, with an address of its
// own.

const [address = '', key, texts, label] = process.argv.slice(2);
const localAddress = '127.0.0.2';
const counts: Record<string, number> = {};

const send = (i: number): Promise<void> =>
  new Promise((resolve) => {
    const end = (outcome: string): void => {
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      resolve();
    };
    const sent = request(`${address}/v1/embeddings`, {
      method: 'POST',
      agent: false,
      localAddress,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    sent.on('response', (response) => {
      response.resume().on('end', () => end(String(response.statusCode)));
    });
    sent.on('error', (reason: NodeJS.ErrnoException) => end(reason.code ?? reason.message));
    sent.end(JSON.stringify({ input: [`Paragraph ${i} of the manual ${label}. `.repeat(20)] }));
  });

process.send?.('ready');
await once(process, 'message');
await Promise.all(Array.from({ length: Number(texts) }, (_, i) => send(i)));
process.send?.(counts, () => process.exit());
