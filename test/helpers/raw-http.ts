import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/**
 * Sends bytes unchanged and returns everything that the server sends until it closes. Rejects if the connection fails
 * before the server has sent anything. After that, bytes that the server no longer reads are not an error.
 */
export function rawExchange(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', (reason) => {
      if (received === '') reject(reason);
    });
  });
}

/**
 * Sends packets one after the other over one connection, and returns all that the server sent. Bytes that the
 * server no longer reads are not an error.
 */
export function rawPackets(port: number, packets: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, async () => {
      for (const packet of packets) {
        if (socket.writable) socket.write(packet);
        await setTimeout(20);
      }
    });
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
}
