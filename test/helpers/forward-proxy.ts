import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** An HTTP proxy that reaches hosts which only it knows. `await using` ends it. */
export class ForwardProxy implements AsyncDisposable {
  /** The targets of its requests, such as `hub.test:443`. */
  readonly targets: string[] = [];
  /** What the next requests for tunnels get. */
  status = 200;
  readonly #ports: Readonly<Record<string, number>>;
  readonly #server = createServer();

  /** `ports` are those of this machine that stand for the hosts. */
  private constructor(ports: Readonly<Record<string, number>>) {
    this.#ports = ports;
    this.#server.on('connect', ({ url = '' }, socket) => {
      this.targets.push(url);
      socket.on('error', () => {});
      if (this.status !== 200) return socket.end(`HTTP/1.1 ${this.status} No\r\ncontent-length: 0\r\n\r\n`);
      const to = connect(this.#ports[url.split(':')[0]!]!, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        to.pipe(socket);
        socket.pipe(to);
      });
      to.on('error', () => socket.destroy()).on('close', () => socket.destroy());
      socket.on('close', () => to.destroy());
    });
    this.#server.on('request', ({ url = '' }, response) => {
      this.targets.push(url);
      response.writeHead(this.status).end();
    });
  }

  static async start(ports: Readonly<Record<string, number>>): Promise<ForwardProxy> {
    const proxy = new ForwardProxy(ports);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** Host and port. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
