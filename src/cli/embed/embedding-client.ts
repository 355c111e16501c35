import { messageOf } from '../../errors.ts';
import { isoSeconds } from '../../lib/clock.ts';
import { fieldsOf, parsedJson } from '../../lib/json.ts';
import { retry } from '../../lib/retry.ts';

export interface ClientOptions {
  readonly url: string;
  readonly key: string | undefined;
  /** Fields of each request besides the texts. */
  readonly fields: Readonly<Record<string, string | number | undefined>>;
  readonly attempts: number;
  readonly timeoutMs: number;
  /** Receives why a request is sent again, and when. */
  readonly onRetry: (message: string) => void;
}

export interface Embedded {
  readonly vectors: readonly Float32Array[];
  readonly fingerprint: string | null;
  readonly tokens: number;
  /** The number of texts that the server has cut. */
  readonly truncated: number;
  /** The number of texts that the server did not compute. */
  readonly cached: number;
}

/** A quota that resets later than this ends the command. */
const longestPauseMs = 120_000;
const firstPauseMs = 500;
const maxPauseMs = 30_000;
const mayPass = new Set([408, 429, 500, 502, 503, 504]);
/** 413 concerns the texts of a request together. */
const concernTexts = new Set([400, 413, 422]);

/** A response that is not a success. */
export class Refusal extends Error {
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
    const after = headers.get('retry-after');
    const seconds = Number(after ?? Number.NaN);
    const waitMs = Number.isNaN(seconds) ? Date.parse(after ?? '') - Date.now() : seconds * 1_000;
    this.retryAfterMs = Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
    this.isFinal =
      status === 429 && (code === 'insufficient_quota' || (this.retryAfterMs ?? 0) > longestPauseMs);
  }

  /** When the quota resets, if the server says that only in the header. */
  get resetsAt(): string | undefined {
    if (this.retryAfterMs === undefined || /resets/i.test(this.message)) return undefined;
    return isoSeconds(Math.round((Date.now() + this.retryAfterMs) / 1_000) * 1_000);
  }
}

/** A response without what was requested. Another attempt would not help. */
class Unusable extends Error {}

/** Requests vectors from a server with OpenAI's API, and tries again after failures that may pass. */
export class EmbeddingClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  embed(input: readonly string[], signal: AbortSignal): Promise<Embedded> {
    const { attempts, onRetry } = this.#options;
    return retry(() => this.#request(input, signal), {
      maxAttempts: attempts,
      signal,
      isPassing: (reason) =>
        !signal.aborted &&
        !(reason instanceof Unusable) &&
        (!(reason instanceof Refusal) || (mayPass.has(reason.status) && !reason.isFinal)),
      pauseMs: (reason, attempt) => {
        const ownMs = Math.min(firstPauseMs * 2 ** (attempt - 1), maxPauseMs) * (0.5 + Math.random() / 2);
        const demandedMs = reason instanceof Refusal ? (reason.retryAfterMs ?? 0) : 0;
        // Requests that were refused together do not return together.
        const waitMs = demandedMs > 0 ? Math.min(demandedMs, longestPauseMs) + ownMs : ownMs;
        onRetry(`${messageOf(reason)}. Trying again in ${Math.ceil(waitMs / 1_000)} s`);
        return waitMs;
      },
    });
  }

  async #request(input: readonly string[], signal: AbortSignal): Promise<Embedded> {
    const { url, key, fields, timeoutMs } = this.#options;
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          // In this shape, errors name the field at fault and a used-up quota.
          'x-error-format': 'openai',
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ input, encoding_format: 'base64', ...fields }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      text = await response.text();
    } catch (reason) {
      const isLate = reason instanceof Error && reason.name === 'TimeoutError';
      const why = isLate
        ? `no response within ${timeoutMs / 1_000} s`
        : messageOf((reason as Error).cause ?? reason);
      throw new Error(`${url} can't be reached: ${why}`, { cause: reason });
    }
    const body = parsedJson(text);
    if (!response.ok) throw new Refusal(response, body, text);
    const { data, usage, cached } = fieldsOf(body);
    if (!Array.isArray(data)) throw new Unusable(`${url} returns something other than embeddings`);
    const vectors = input.map((_text, index) => {
      const item = data.find((one) => fieldsOf(one).index === index) ?? data[index];
      return vectorOf(fieldsOf(item).embedding);
    });
    if (data.length !== input.length || vectors.some((vector) => !vector?.every(Number.isFinite)))
      throw new Unusable(`${url} does not return one vector of numbers per text`);
    return {
      vectors: vectors as Float32Array[],
      fingerprint: response.headers.get('x-embedding-fingerprint'),
      truncated: Number(response.headers.get('x-embedding-truncated') ?? 0),
      tokens: Number(fieldsOf(usage).total_tokens ?? 0),
      cached: cached === true ? input.length : 0,
    };
  }
}

/** Returns the numbers of a vector in base64, or of a list from a server without that. */
function vectorOf(embedding: unknown): Float32Array | undefined {
  if (Array.isArray(embedding)) return Float32Array.from(embedding);
  const bytes = typeof embedding === 'string' ? Uint8Array.from(Buffer.from(embedding, 'base64')) : undefined;
  return bytes && bytes.length > 0 && bytes.length % 4 === 0 ? new Float32Array(bytes.buffer) : undefined;
}
