import { connect } from 'node:net';

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
