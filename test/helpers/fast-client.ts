import { Agent, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** A client for thousands of requests: `fetch` would cost more than the service. */
export class FastClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });

  /** Rejects when the connection fails. */
  embed(address: string, key: string, input: string, model?: string): Promise<Answer> {
    const body = JSON.stringify({ input, model, encoding_format: 'base64' });
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    return this.#send(`${address}/v1/embeddings`, 'POST', headers, body);
  }

  get(url: string, key?: string): Promise<Answer> {
    return this.#send(url, 'GET', key === undefined ? {} : { authorization: `Bearer ${key}` }, '');
  }

  #send(
    url: string,
    method: string,
    headers: Record<string, string | number>,
    body: string,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { agent: this.#agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => {
          text += part;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
