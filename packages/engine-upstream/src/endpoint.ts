import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
} from 'cockatiel';
import type { TraceHeaders, Upstream } from '../../engine/src/index.ts';
import { InputRefused, UpstreamFailure } from './failures.ts';
import { connectionFailure, failureOf, isPassing, statedStatus } from './http-failure.ts';
import { parse, responseText } from './response.ts';

export interface EndpointOptions {
  readonly key: string | null;
  /** Called with a log message when the address is paused after failures, and when it is used again. */
  readonly onChange: (what: string) => void;
}

/** The checks that an address must pass. */
export interface Trial {
  /** Must succeed before the first vector of the address is used. Throws an UpstreamFailure. */
  pass(endpoint: Endpoint, signal: AbortSignal): Promise<void>;
  /** Reports whether the address can compute a known good text. */
  isAlive(endpoint: Endpoint, signal: AbortSignal): Promise<boolean>;
}

export interface Attempt<T> {
  /** The end of the URL's path. */
  readonly path: string;
  readonly body: string;
  /** Limit for the whole response. */
  readonly maxAnswerBytes: number;
  /** Measured from connecting to the last byte of the response. */
  readonly timeoutMs: number;
  /** Aborts the call, which then throws the signal's reason. */
  readonly signal: AbortSignal;
  /** Headers to send, with which the address continues a trace. */
  readonly trace?: TraceHeaders | undefined;
  /** Converts the response. Throws an UpstreamFailure. */
  readonly read: (json: unknown) => T;
  /** Whether a failure concerns a single text. */
  readonly isAlone: boolean;
  /**
   * Reports whether the response looks wrong although it is well formed. The address must then pass its trial again.
   */
  readonly isDoubtful: (value: T) => boolean;
}

/** What is known while a batch and its halves are computed. */
export interface BatchState {
  /** Whether the address has computed a known good text after a failure. */
  isAlive: boolean;
}

const failuresInARow = 5;
const firstBreakMs = 1_000;
const longestBreakMs = 30_000;
/** The longest pause that an upstream can request. Its quota may be raised before a longer one ends. */
const longestRestMs = 60_000;
const maxErrorBytes = 65_536;
const maxModelsBytes = 4 << 20;

/** One address of an upstream, with its health. */
export class Endpoint implements Upstream {
  readonly name: string;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #breaker: CircuitBreakerPolicy;
  #trial: Trial | undefined;
  #passed: Promise<void> | undefined;
  /** Whether it failed the trial for a reason that doesn't pass by itself. */
  #isRefused = false;
  readonly #onChange: EndpointOptions['onChange'];
  #restsUntil = 0;
  #lastFailure = '';

  /** `base` is the base URL, as in OpenAI's SDKs: for example `http://127.0.0.1:11434/v1`. */
  constructor(base: string, { key, onChange }: EndpointOptions) {
    this.#url = new URL(base);
    this.name = this.#url.origin + this.#url.pathname;
    this.#headers = {
      'content-type': 'application/json',
      ...(key !== null && { authorization: `Bearer ${key}` }),
    };
    this.#breaker = circuitBreaker(
      handleWhen((reason) => reason instanceof UpstreamFailure && !reason.isBusy),
      {
        breaker: new ConsecutiveBreaker(failuresInARow),
        halfOpenAfter: new ExponentialBackoff({ initialDelay: firstBreakMs, maxDelay: longestBreakMs }),
      },
    );
    this.#onChange = onChange;
    this.#breaker.onBreak(() => {
      this.#doubt();
      onChange(`gets no requests for a while: ${this.#lastFailure}`);
    });
    this.#breaker.onReset(() => onChange('gets requests again'));
  }

  /** The remaining pause that the upstream has requested, in milliseconds. */
  get restMs(): number {
    return Math.max(0, this.#restsUntil - performance.now());
  }

  get isAvailable(): boolean {
    return this.#breaker.state === CircuitState.Closed && this.restMs === 0 && !this.#isRefused;
  }

  /** Requires the address to pass `trial` before its vectors are used. */
  require(trial: Trial): void {
    this.#trial = trial;
    this.#doubt();
  }

  /** Requires the address to pass its trial again. It may have been replaced, or serve another model. */
  #doubt(): void {
    this.#passed = undefined;
  }

  /** Runs the trial unless the address has already passed it. Throws an UpstreamFailure. */
  prove(signal: AbortSignal): Promise<void> {
    if (this.#passed) return this.#passed;
    const passed = this.#pass(signal);
    this.#passed = passed;
    passed.catch(() => {
      // A doubt may have begun another trial in the meantime.
      if (this.#passed === passed) this.#doubt();
    });
    return passed;
  }

  async #pass(signal: AbortSignal): Promise<void> {
    try {
      await this.#trial?.pass(this, signal);
      this.#isRefused = false;
    } catch (reason) {
      if (!this.#isRefused && reason instanceof UpstreamFailure && reason.isConfiguration) {
        this.#isRefused = true;
        this.#onChange(`is not used: ${reason.message.replace(`${this.name} `, '')}`);
      }
      throw reason;
    }
  }

  /** Sends the request. Throws an UpstreamFailure or an InputRefused. */
  async send<T>(attempt: Attempt<T>, batch: BatchState): Promise<T> {
    // One request tests whether the address works again. Others must not wait for it.
    if (this.#breaker.state === CircuitState.HalfOpen) throw this.#leftAlone();
    const outcome = await this.#breaker
      .execute(() => this.#try(attempt, batch))
      .catch((reason) => {
        throw reason instanceof BrokenCircuitError ? this.#leftAlone() : reason;
      });
    if ('failure' in outcome) throw outcome.failure;
    return outcome.value;
  }

  /** Returns a failure that the texts caused instead of throwing it, so that the breaker counts it as a success. */
  async #try<T>(
    attempt: Attempt<T>,
    batch: BatchState,
  ): Promise<{ value: T } | { failure: UpstreamFailure }> {
    await this.prove(attempt.signal);
    try {
      const value = await this.ask(attempt);
      if (attempt.isDoubtful(value)) {
        this.#doubt();
        await this.prove(attempt.signal);
      }
      return { value };
    } catch (reason) {
      const isRefused = reason instanceof InputRefused && attempt.isAlone && !reason.isTooLong;
      const isFailure = reason instanceof UpstreamFailure && !reason.isPassing;
      if (!isRefused && !isFailure) throw reason;
      // Halves of a batch that fail again need no other proof, until a text is alone.
      if (attempt.isAlone || !batch.isAlive) {
        batch.isAlive = (await this.#trial?.isAlive(this, attempt.signal)) === true;
      }
      if (isRefused) reason.isOfText = batch.isAlive;
      if (!isFailure || !batch.isAlive) throw reason;
      return { failure: reason.ofTexts() };
    }
  }

  /** Sends `GET …/models`. Returns undefined if the server has no such list. Throws an UpstreamFailure. */
  async models(timeoutMs: number, signal: AbortSignal): Promise<unknown> {
    try {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const response = await fetch(this.#at('models'), this.#request(ends));
      if (isPassing(response.status)) throw failureOf(response, '');
      const text = await responseText(response, maxModelsBytes);
      return response.status === 200 ? parse(text) : undefined;
    } catch (reason) {
      throw this.#named(reason instanceof UpstreamFailure ? reason : connectionFailure(reason));
    }
  }

  /** Sends the request regardless of the address's health. Throws an UpstreamFailure or an InputRefused. */
  async ask<T>({ path, body, maxAnswerBytes, timeoutMs, signal, trace, read }: Attempt<T>): Promise<T> {
    try {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const response = await fetch(this.#at(path), { ...this.#request(ends, trace), method: 'POST', body });
      if (response.status !== 200) throw failureOf(response, await responseText(response, maxErrorBytes));
      const text = await responseText(response, maxAnswerBytes);
      const json = parse(text);
      const status = statedStatus(json);
      if (status !== undefined) throw failureOf({ status, headers: response.headers }, text);
      return read(json);
    } catch (reason) {
      signal.throwIfAborted();
      if (reason instanceof InputRefused) throw this.#named(reason);
      if (reason instanceof UpstreamFailure) throw this.#remember(reason);
      this.#doubt();
      throw this.#remember(connectionFailure(reason));
    }
  }

  #remember(failure: UpstreamFailure): UpstreamFailure {
    this.#lastFailure = failure.message;
    if (failure.retryAfterMs !== undefined) {
      this.#restsUntil = performance.now() + Math.min(failure.retryAfterMs, longestRestMs);
    }
    return this.#named(failure);
  }

  #named<E extends Error>(reason: E): E {
    reason.message = `${this.name} ${reason.message}`;
    return reason;
  }

  #leftAlone(): UpstreamFailure {
    return new UpstreamFailure(`${this.name} gets no requests for a while: ${this.#lastFailure}`);
  }

  #at(what: string): URL {
    const url = new URL(this.#url);
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${what}`;
    return url;
  }

  /** Returns the request options. Redirects are not followed: they could send texts to an address not configured. */
  #request(signal: AbortSignal, trace: TraceHeaders = {}): RequestInit {
    return { headers: { ...trace, ...this.#headers }, redirect: 'manual', signal };
  }
}
