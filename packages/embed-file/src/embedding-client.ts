import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { messageOf } from '../../small/src/errors.ts';
import { fieldsOf, parsedJson } from '../../small/src/json.ts';
import { noResponse } from '../../small/src/no-response.ts';
import { backoffMs, retry, retryAfterMs } from '../../small/src/retry.ts';
import type { Embedding, Source } from './embedding.ts';

export interface ClientOptions {
  /** Ends with `/v1`. */
  readonly url: string;
  readonly key: string | undefined;
  /** Fields of each request besides the texts. */
  readonly fields: Readonly<Record<string, string | number | undefined>>;
  readonly attempts: number;
  readonly timeoutMs: number;
  /** Receives why a request is sent again, and when. */
  readonly onRetry: (message: string) => void;
}

export interface EmbeddedTexts {
  readonly embeddings: readonly Embedding[];
  readonly source: Source;
  readonly tokens: number;
  /** The number of texts that the server did not compute. */
  readonly cached: number;
}

/** A quota that resets later than this ends the command. */
const longestPauseMs = 120_000;
const pauses = { firstMs: 500, longestMs: 30_000 };
/** Files may take this many times as long as other responses. */
const transferFactor = 30;
const mayPass = new Set([408, 429, 500, 502, 503, 504]);
/** 413 concerns the texts of a request together. */
const concernTexts = new Set([400, 413, 422]);

/** A response that is not a success. */
export class FailedResponse extends Error {
  readonly status: number;
  readonly concernsTexts: boolean;
  readonly retryAfterMs: number | undefined;
  /** A quota is used up, and its reset is not worth waiting for. */
  readonly isFinal: boolean;

  constructor({ status, headers }: Response, body: unknown, text: string) {
    const flat = fieldsOf(body);
    const { message = flat.message, param, code } = fieldsOf(flat.error);
    super(`The server responded with ${status}: ${String(message ?? (text.slice(0, 300) || 'nothing'))}`);
    this.status = status;
    this.concernsTexts = concernTexts.has(status) && (typeof param !== 'string' || param.startsWith('input'));
    this.retryAfterMs = retryAfterMs(headers.get('retry-after'));
    this.isFinal =
      status === 429 && (code === 'insufficient_quota' || (this.retryAfterMs ?? 0) > longestPauseMs);
  }

  /** When the quota resets, if the server says that only in the header. */
  get resetsAt(): string | undefined {
    if (this.retryAfterMs === undefined || /resets/i.test(this.message)) return undefined;
    const seconds = Math.round((Date.now() + this.retryAfterMs) / 1_000);
    return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
  }
}

export interface Demand {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON, unless it is a form. */
  readonly body?: object;
  readonly signal?: AbortSignal;
  /** The file that a response's body goes to. Then there is no text. */
  readonly into?: string;
}

interface Received {
  readonly text: string;
  readonly headers: Headers;
}

/** Sends requests to a server with OpenAI's API, and tries again after failures that may pass. */
export class EmbeddingClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Requests a vector for each text. */
  async embed(input: readonly string[], signal: AbortSignal): Promise<EmbeddedTexts> {
    const { url, fields } = this.#options;
    const body = { input, encoding_format: 'base64', ...fields };
    const { text, headers } = await this.send('/embeddings', { body, signal });
    const embedded = embeddedIn(parsedJson(text), input.length);
    if (typeof embedded === 'string') throw new Error(`${url}/embeddings ${embedded}`);
    const fingerprint = headers.get('x-embedding-fingerprint') ?? embedded.source.fingerprint;
    return { ...embedded, source: { ...embedded.source, fingerprint } };
  }

  /** Asks how many tokens texts have, and whether the model reads them whole. Only Embedgate has this route. */
  async tokenize(input: readonly string[]) {
    const { url, fields } = this.#options;
    const { model, input_type } = fields;
    const { text } = await this.send('/tokenize', { body: { input, model, input_type } });
    const { data, max_input_tokens: maxTokens } = fieldsOf(parsedJson(text));
    if (!Array.isArray(data) || typeof maxTokens !== 'number')
      throw new Error(`${url}/tokenize returns something other than tokens`);
    return { sizes: data as { count: number; fits: boolean }[], maxTokens };
  }

  /** Sends a request below the server's `/v1`. Throws `Refusal` for a response that is not a success. */
  send(path: string, demand: Demand): Promise<Received> {
    const { attempts, onRetry } = this.#options;
    const { signal } = demand;
    return retry(() => this.#request(path, demand), {
      maxAttempts: attempts,
      signal,
      isPassing: (reason) =>
        !signal?.aborted &&
        (!(reason instanceof FailedResponse) || (mayPass.has(reason.status) && !reason.isFinal)),
      pauseMs: (reason, attempt) => {
        const ownMs = backoffMs(attempt - 1, pauses);
        const demandedMs = reason instanceof FailedResponse ? (reason.retryAfterMs ?? 0) : 0;
        // Requests that were refused together do not return together.
        const waitMs = demandedMs > 0 ? Math.min(demandedMs, longestPauseMs) + ownMs : ownMs;
        onRetry(`${messageOf(reason)}. Trying again in ${Math.ceil(waitMs / 1_000)} s`);
        return waitMs;
      },
    });
  }

  async #request(path: string, { method = 'POST', body, signal, into }: Demand): Promise<Received> {
    const { url, key, timeoutMs } = this.#options;
    const isJson = body !== undefined && !(body instanceof FormData);
    const isLong = body instanceof FormData || into !== undefined;
    const deadlineMs = isLong ? transferFactor * timeoutMs : timeoutMs;
    let response: Response;
    let text = '';
    try {
      response = await fetch(url + path, {
        method,
        headers: {
          ...(isJson && { 'content-type': 'application/json' }),
          // In this shape, errors name the field at fault and a used-up quota.
          'x-error-format': 'openai',
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        ...(body && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
        signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(deadlineMs)]),
      });
      if (!response.ok || into === undefined) text = await response.text();
    } catch (reason) {
      const isLate = reason instanceof Error && reason.name === 'TimeoutError';
      const why = isLate ? `no response within ${deadlineMs / 1_000} s` : noResponse(reason);
      throw new Error(`${url}${path} can't be reached: ${why}`, { cause: reason });
    }
    if (response.ok && into !== undefined && response.body)
      await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(into));
    if (!response.ok) throw new FailedResponse(response, parsedJson(text), text);
    return { text, headers: response.headers };
  }
}

/** Returns the vectors of `count` texts in a response, or what is wrong with it. */
export function embeddedIn(body: unknown, count: number): EmbeddedTexts | string {
  const { data, usage, cached, cached_texts, model, fingerprint, truncated } = fieldsOf(body);
  if (!Array.isArray(data)) return 'returns something other than embeddings';
  const vectors = Array.from({ length: count }, (_, index) => {
    const item = data.find((one) => fieldsOf(one).index === index) ?? data[index];
    return vectorOf(fieldsOf(item).embedding);
  });
  if (data.length !== count || vectors.some((vector) => !vector?.every(Number.isFinite)))
    return 'does not return one vector of numbers per text';
  const cut = new Set(Array.isArray(truncated) ? truncated : []);
  const source = { model: textOrNull(model), fingerprint: textOrNull(fingerprint) };
  return {
    embeddings: vectors.map((vector, index) => ({ vector: vector!, isCut: cut.has(index) })),
    source,
    tokens: Number(fieldsOf(usage).total_tokens ?? 0),
    cached: Number(cached_texts ?? (cached === true ? count : 0)),
  };
}

export const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);

/** Returns the numbers of a vector in base64, or of a list from a server without that. */
function vectorOf(embedding: unknown): Float32Array | undefined {
  if (Array.isArray(embedding)) return Float32Array.from(embedding);
  const bytes = typeof embedding === 'string' ? Uint8Array.from(Buffer.from(embedding, 'base64')) : undefined;
  return bytes && bytes.length > 0 && bytes.length % 4 === 0 ? new Float32Array(bytes.buffer) : undefined;
}
