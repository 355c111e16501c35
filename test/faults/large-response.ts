import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { RunningService } from '../helpers/service.ts';

/** A connection that has received the first bytes of a response of about 12 MB, and reads no further. */
export async function largeResponse({
  address,
  key,
}: RunningService): Promise<{ socket: Socket; received: Buffer[] }> {
  const body = JSON.stringify({ input: Array.from({ length: 2_048 }, (_, i) => `text ${i}`) });
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  socket.write(
    [
      'POST /v1/embeddings HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
  const received: Buffer[] = [];
  socket.on('data', (bytes) => {
    if (received.length === 0) socket.pause();
    received.push(bytes);
  });
  await once(socket, 'data');
  return { socket, received };
}
