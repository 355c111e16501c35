import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface UpstreamRequest {
  readonly input: readonly string[];
  readonly model: string;
  readonly encoding_format: string;
  readonly authorization: string | undefined;
  readonly traceparent?: unknown;
}

type Respond = (response: ServerResponse, request: UpstreamRequest) => void;

export const dimensions = 8;

/** A server in the shape of OpenAI's API whose responses a test chooses. `await using` ends it. */
export class UpstreamServer implements AsyncDisposable {
  /** The settings of a service whose model it is, named `theirs`. */
  get environment() {
    return {
      EMBEDDING_UPSTREAM_URL: this.url,
      EMBEDDING_MODEL: 'theirs',
      EMBEDDING_MAX_TOKENS: '100',
    };
  }

  readonly requests: UpstreamRequest[] = [];
  /** The next responses, once each; then `otherwise`. */
  readonly next: Respond[] = [];
  otherwise: Respond = sound;
  /** The response to each GET, such as the list of models. */
  models: (response: ServerResponse) => void = reply(404);
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  /** Listens on a free port, or on the given one. */
  async listen(port = 0): Promise<this> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return this.models(response);
    const body = (await json(request)) as UpstreamRequest;
    const { authorization, traceparent } = request.headers;
    const received = { ...body, authorization, ...(traceparent && { traceparent }) };
    this.requests.push(received);
    (this.next.shift() ?? this.otherwise)(response, received);
  }
}

/** A different unit vector for each text. */
export function vectorOf(text: string): number[] {
  const seed = Array.from(text).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7);
  const numbers = Array.from({ length: dimensions }, (_, i) => Math.sin((i + 1) * (seed + 1)));
  const norm = Math.hypot(...numbers);
  return numbers.map((value) => Math.fround(value / norm));
}

export const base64Of = (vector: readonly number[]): string =>
  Buffer.from(Float32Array.from(vector).buffer).toString('base64');

/** The items of a correct response. */
export function itemsOf({ input, encoding_format: encoding }: UpstreamRequest) {
  return input.map((text, index) => {
    const vector = vectorOf(text);
    const embedding: unknown = encoding === 'base64' ? base64Of(vector) : vector;
    return { object: 'embedding', index, embedding };
  });
}

export const sound: Respond = (response, request) => {
  const tokens = request.input.reduce((sum, text) => sum + text.length, 0);
  reply(200, { data: itemsOf(request), usage: { prompt_tokens: tokens, total_tokens: tokens } })(response);
};

/** Responds with a status, a body and headers. */
export function reply(status: number, body: unknown = {}, headers: Record<string, string> = {}) {
  return (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Refuses texts of more than `limit` characters, as servers without truncation do. */
export function atMost(limit: number): Respond {
  return (response, request) => {
    if (request.input.every((text) => text.length <= limit)) return sound(response, request);
    const message = `This model's maximum context length is ${limit} tokens, however you requested more.`;
    reply(400, { error: { message } })(response);
  };
}

/** Ends the connection in the middle of a response. */
export const cutOff: Respond = (response) => {
  response.writeHead(200, { 'content-length': 1_000 });
  response.write('{"data": [', () => response.destroy());
};

/** Never responds. */
export const silent: Respond = () => {};
