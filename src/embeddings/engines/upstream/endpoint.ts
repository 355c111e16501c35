import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
} from 'cockatiel';
import type { Upstream } from '../engine.ts';
import { parse, textOf } from './body.ts';
import { InputRefused, UpstreamFailure } from './failures.ts';
import { connectionFailure, failureOf, isPassing } from './http-failure.ts';

export interface EndpointOptions {
  readonly key: string | null;
  /** Is told, in words for a log, when the address is given up for a while, and when it is used again. */
  readonly onChange: (what: string) => void;
}

/** What an address has to do right. */
export interface Trial {
  /** Must succeed before the first vector is used. Throws an UpstreamFailure. */
  pass(endpoint: Endpoint, signal: AbortSignal): Promise<void>;
  /** Whether the address computes a text that nothing is wrong with. */
  isAlive(endpoint: Endpoint, signal: AbortSignal): Promise<boolean>;
}

export interface Call<T> {
  readonly body: string;
  /** Of the whole answer. */
  readonly maxAnswerBytes: number;
  /** From connecting to the answer's last byte. */
  readonly timeoutMs: number;
  /** Ends the call, whatever becomes of it. */
  readonly signal: AbortSignal;
  /** Makes something of the answer, or throws an UpstreamFailure. */
  readonly read: (json: unknown) => T;
}

const failuresInARow = 5;
const firstBreakMs = 1_000;
const longestBreakMs = 30_000;
/** What an upstream asks for may be forgotten by then: somebody may have raised its quota. */
const longestRestMs = 60_000;
const maxErrorBytes = 65_536;
const maxModelsBytes = 4 << 20;

/** One address of an upstream, with what is known of its health. */
export class Endpoint implements Upstream {
  readonly name: string;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #breaker: CircuitBreakerPolicy;
  #trial: Trial | undefined;
  #passed: Promise<void> | undefined;
  #restsUntil = 0;
  #lastFailure = '';

  /** `base` is what OpenAI's SDKs call the base URL, as `http://127.0.0.1:11434/v1`. */
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
    this.#breaker.onBreak(() => onChange(`is left alone for a while: ${this.#lastFailure}`));
    this.#breaker.onReset(() => onChange('is used again'));
  }

  /** How long the upstream has asked to be left alone, in milliseconds. */
  get restMs(): number {
    return Math.max(0, this.#restsUntil - performance.now());
  }

  get isAvailable(): boolean {
    return this.#breaker.state === CircuitState.Closed && this.restMs === 0;
  }

  /** From now on, no vector is used before this address has passed. */
  require(trial: Trial): void {
    this.#trial = trial;
    this.#passed = undefined;
  }

  /** Throws an UpstreamFailure unless the address has passed its trial, now or before. */
  prove(signal: AbortSignal): Promise<void> {
    this.#passed ??= (this.#trial?.pass(this, signal) ?? Promise.resolve()).catch((reason) => {
      this.#passed = undefined;
      throw reason;
    });
    return this.#passed;
  }

  /** `POST …/embeddings`. Throws an UpstreamFailure, or an InputRefused. */
  async embeddings<T>(call: Call<T>): Promise<T> {
    // One request finds out whether it works again; what else comes meanwhile does not wait for that.
    if (this.#breaker.state === CircuitState.HalfOpen) throw this.#leftAlone();
    const outcome = await this.#breaker
      .execute(() => this.#try(call))
      .catch((reason) => {
        throw reason instanceof BrokenCircuitError ? this.#leftAlone() : reason;
      });
    if ('failure' in outcome) throw outcome.failure;
    return outcome.value;
  }

  /** To the breaker, a failure that is about the texts is a success: the address works. */
  async #try<T>(call: Call<T>): Promise<{ value: T } | { failure: UpstreamFailure }> {
    await this.prove(call.signal);
    try {
      return { value: await this.ask(call) };
    } catch (reason) {
      const mayBeOfTexts = reason instanceof UpstreamFailure && !reason.isConfiguration && !reason.isPassing;
      if (!mayBeOfTexts || !(await this.#trial?.isAlive(this, call.signal))) throw reason;
      return { failure: reason.ofTexts() };
    }
  }

  /** `GET …/models`. Returns undefined where there is no such list. Throws an UpstreamFailure when it can't be had now. */
  async models(timeoutMs: number): Promise<unknown> {
    try {
      const response = await fetch(this.#at('models'), this.#request(AbortSignal.timeout(timeoutMs)));
      if (isPassing(response.status)) throw failureOf(response, '');
      const text = await textOf(response, maxModelsBytes);
      return response.status === 200 ? parse(text) : undefined;
    } catch (reason) {
      throw this.#named(reason instanceof UpstreamFailure ? reason : connectionFailure(reason));
    }
  }

  /** As `embeddings`, whatever is known of the address's health. */
  async ask<T>({ body, maxAnswerBytes, timeoutMs, signal, read }: Call<T>): Promise<T> {
    try {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const response = await fetch(this.#at('embeddings'), { ...this.#request(ends), method: 'POST', body });
      if (response.status !== 200) throw failureOf(response, await textOf(response, maxErrorBytes));
      return read(parse(await textOf(response, maxAnswerBytes)));
    } catch (reason) {
      signal.throwIfAborted();
      if (reason instanceof InputRefused) throw this.#named(reason);
      throw this.#remember(reason instanceof UpstreamFailure ? reason : connectionFailure(reason));
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
    return new UpstreamFailure(`${this.name} is left alone for a while: ${this.#lastFailure}`);
  }

  #at(what: string): URL {
    const url = new URL(this.#url);
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${what}`;
    return url;
  }

  /** Without redirects: they would carry texts to where nobody has sent them. */
  #request(signal: AbortSignal): RequestInit {
    return { headers: this.#headers, redirect: 'manual', signal };
  }
}
