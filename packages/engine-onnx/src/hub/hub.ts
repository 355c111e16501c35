import { asError } from '../../../small/src/errors.ts';
import { noResponse } from '../../../small/src/no-response.ts';
import { backoffMs, retry, retryAfterMs } from '../../../small/src/retry.ts';

/** The error for a model that could not be pulled. Its message is written for the operator and contains no token. */
export class HubError extends Error {
  override readonly name = 'HubError';
  /** Whether the same request may succeed a moment later. */
  readonly isPassing: boolean = false;
  /** The delay that the hub requests. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    details: Partial<Pick<HubError, 'cause' | 'isPassing' | 'retryAfterMs'>> = {},
  ) {
    super(message, { cause: details.cause });
    Object.assign(this, details);
  }
}

export interface HubOptions {
  readonly endpoint: string;
  readonly token: string | null;
  /** How long to wait without a byte from the hub. */
  readonly idleMs?: number;
  /** Delay before the second attempt. */
  readonly retryDelayMs?: number | undefined;
  /** Called with a line when the hub asks to wait. */
  readonly onBusy?: (what: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** A response whose body is still arriving. The caller must call `alive` for each chunk, and `end` after the last. */
export interface OpenResponse {
  readonly response: Response;
  alive(): void;
  end(): void;
}

/** A JSON document, and the URL of the next page. */
export interface JsonPage {
  readonly value: unknown;
  readonly next: string | null;
}

const defaultIdleMs = 30_000;
const defaultRetryDelayMs = 1_000;
const maxAttempts = 3;
/** Hugging Face counts requests in windows of five minutes. */
const longestWaitMs = 300_000;
const maxRedirects = 10;
/** A page of 1,000 files takes less than a tenth of it. */
const maxJsonBytes = 8 << 20;
const unreachable =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)\b/;
const ifUnreachable =
  '; if there is a proxy, check HTTPS_PROXY; without a network, copy the model from another machine ' +
  '(docs/model-files.md#offline)';

/** A client for model hubs with Hugging Face's API. */
export class Hub {
  readonly #options: HubOptions;
  readonly #origin: string;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#origin = new URL(options.endpoint).origin;
  }

  get host(): string {
    return new URL(this.#options.endpoint).host;
  }

  /** Returns the document at `url`. Throws a HubError. */
  json(url: string): Promise<JsonPage> {
    const { signal } = this.#options;
    const isPassing = (reason: unknown): boolean => reason instanceof HubError && reason.isPassing;
    const pauseMs = (reason: unknown, attempt: number): number => this.delayAfter(reason, attempt);
    return retry(() => this.#page(url), { isPassing, maxAttempts, pauseMs, signal });
  }

  /** Returns the delay after some failures in a row, which grows. The hub can request another with a 429. */
  delayAfter(reason: unknown, failures: number): number {
    const { retryDelayMs: firstMs = defaultRetryDelayMs } = this.#options;
    const ms = backoffMs(Math.max(0, failures - 1), { firstMs, longestMs: longestWaitMs });
    const asked =
      reason instanceof HubError ? Math.max(ms, Math.min(reason.retryAfterMs ?? 0, longestWaitMs)) : ms;
    if (asked > ms) this.#options.onBusy?.(`${this.host} asks to wait ${Math.ceil(asked / 1_000)} seconds`);
    return asked;
  }

  async #page(url: string): Promise<JsonPage> {
    const { response, alive, end } = await this.open(url);
    try {
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of this.bodyOf(response)) {
        alive();
        bytes += chunk.length;
        if (bytes > maxJsonBytes) throw new HubError(`${this.host} sends an endless response`);
        chunks.push(chunk);
      }
      const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
      const following = next && new URL(next, this.#options.endpoint).href;
      return { value: this.#parse(Buffer.concat(chunks), response), next: following };
    } finally {
      end();
    }
  }

  /** Sends a GET request. Follows redirects; only the hub gets the token. Throws a HubError, also on error statuses. */
  async open(address: string, headers: Readonly<Record<string, string>> = {}): Promise<OpenResponse> {
    let url = new URL(address.startsWith('/') ? this.#options.endpoint + address : address);
    const deadline = new Deadline(this.#options.idleMs ?? defaultIdleMs, this.#options.signal);
    try {
      for (let hop = 0; hop <= maxRedirects; hop++) {
        const response = await fetch(url, {
          headers: { ...headers, 'accept-encoding': 'identity', ...this.#authorization(url) },
          redirect: 'manual',
          signal: deadline.signal,
        });
        const location = response.headers.get('location');
        if (response.status < 300 || response.status >= 400 || location === null) {
          if (!response.ok) throw await this.#refusal(response);
          return { response, alive: () => deadline.refresh(), end: () => deadline.end() };
        }
        await response.body?.cancel();
        deadline.refresh();
        url = new URL(location, url);
      }
      throw new HubError(`${this.host} redirects endlessly`);
    } catch (cause) {
      deadline.end();
      throw this.#failure(cause);
    }
  }

  /** Yields the chunks of a response's body. Throws a HubError when the connection breaks or stalls. */
  async *bodyOf(response: Response): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of response.body ?? []) yield chunk;
    } catch (cause) {
      throw this.#failure(cause);
    }
  }

  /** Converts a network error or a timeout to a HubError. Throws the abort reason if the caller aborted. */
  #failure(cause: unknown): unknown {
    if (cause instanceof HubError) return cause;
    this.#options.signal?.throwIfAborted();
    const why = asError(cause).name === 'TimeoutError' ? 'it has stopped sending' : noResponse(cause);
    const hint = unreachable.test(why) ? ifUnreachable : '';
    return new HubError(`${this.host} cannot be read: ${why}${hint}`, { cause, isPassing: true });
  }

  #parse(bytes: Buffer, { headers }: Response): unknown {
    try {
      return JSON.parse(bytes.toString());
    } catch (cause) {
      throw new HubError(`${this.host} does not respond like a hub, but with ${typeOf(headers)}`, { cause });
    }
  }

  async #refusal(response: Response): Promise<HubError> {
    await response.body?.cancel();
    const { status, headers } = response;
    // A hub has none for programs, but filters and proxies do.
    if (/html/.test(typeOf(headers)) && status < 500)
      return new HubError(
        `${this.host}, or a proxy before it, refuses with a page (${status}, ${typeOf(headers)})`,
      );
    if (status === 401 || status === 403) {
      const remedy = this.#options.token ? 'HF_TOKEN does not grant access' : 'set HF_TOKEN';
      return new HubError(
        `${this.host} refuses access (${status}): there is no such model, or it is private or gated, and ${remedy}`,
      );
    }
    if (status === 404) return new HubError(`${this.host} has no such model, revision or file (404)`);
    const hint =
      status === 429 && !this.#options.token ? ': its limit is reached; HF_TOKEN has a higher one' : '';
    return new HubError(`${this.host} returns status ${status}${hint}`, {
      isPassing: status === 429 || status >= 500,
      retryAfterMs: retryAfterMs(response.headers.get('retry-after') ?? resetOf(response.headers)),
    });
  }

  #authorization({ origin }: URL): Record<string, string> {
    const { token } = this.#options;
    return token && origin === this.#origin ? { authorization: `Bearer ${token}` } : {};
  }
}

/** Returns the type of a response's body, for messages. */
export const typeOf = (headers: Headers): string => headers.get('content-type') ?? 'no content type';

/** Returns the seconds until more requests are allowed, as Hugging Face states them: `"api";r=0;t=55`. */
const resetOf = (headers: Headers): string | null =>
  /\bt=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] ?? null;

/** Aborts `idleMs` after the last `refresh`, and when `outer` aborts. */
class Deadline {
  readonly #silence = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly signal: AbortSignal;

  constructor(idleMs: number, outer: AbortSignal | undefined) {
    this.signal = outer ? AbortSignal.any([outer, this.#silence.signal]) : this.#silence.signal;
    this.#timer = setTimeout(
      () => this.#silence.abort(new DOMException('No data for too long', 'TimeoutError')),
      idleMs,
    );
  }

  refresh(): void {
    this.#timer.refresh();
  }

  /** Also closes the connection of a response that was not read to its end. */
  end(): void {
    clearTimeout(this.#timer);
    this.#silence.abort();
  }
}
