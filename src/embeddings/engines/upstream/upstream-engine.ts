/** Embeddings from an OpenAI-compatible server such as Ollama, TEI, vLLM, OpenAI or another Embedgate. */
import { unavailable } from '../../../errors.ts';
import { TextTooLong } from '../../text-errors.ts';
import type { Engine, InputType, Model, Upstream } from '../engine.ts';
import { inHalves, type Outcome, vectorsOf } from '../in-halves.ts';
import { Endpoint } from './endpoint.ts';
import { Endpoints } from './endpoints.ts';
import { InputRefused, UpstreamFailure } from './failures.ts';
import { fingerprintOf } from './fingerprint.ts';
import { probe } from './probe.ts';
import { type Encoding, requestFor } from './request.ts';
import type { UpstreamResponse } from './response.ts';
import type { UpstreamSettings } from './settings.ts';
import { prove, UpstreamTrial } from './trial.ts';
import { beginning, estimatedTokens, shareTokens, UpstreamText } from './upstream-text.ts';

const maxBatchTokens = 8_192;
/** Maximum number of cuts. Each shortens a text by a third. */
const maxCuts = 6;

/**
 * Opens an upstream after finding its model's properties and testing its addresses. Throws a one-line message when the
 * upstream can't be reached, rejects the request or returns wrong vectors. An unreachable address is tested before its
 * first use. `warn` logs changes of health. `isByAddress`: only the addresses distinguish this model from another.
 * `signal` ends the attempt to open it.
 */
export async function openUpstreamEngine(
  settings: UpstreamSettings,
  warn: (what: string) => void,
  {
    isByAddress = false,
    signal = new AbortController().signal,
  }: { isByAddress?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<Engine<UpstreamText>> {
  const { name } = settings;
  refuseLongPrompts(settings, settings.maxTokens ?? Number.POSITIVE_INFINITY);
  const endpoints = new Endpoints(
    settings.urls.map((url) => {
      const endpoint: Endpoint = new Endpoint(url, {
        key: settings.key,
        onChange: (what) => warn(`model ${name}: ${endpoint.name} ${what}`),
      });
      return endpoint;
    }),
  );
  const { dimensions, maxTokens, encoding } = await probe(endpoints, settings, { warn, signal });
  refuseLongPrompts(settings, maxTokens);
  await prove(endpoints.all, new UpstreamTrial(settings, { dimensions, encoding }), signal);
  const fingerprint = fingerprintOf(settings, { dimensions, maxTokens, isByAddress });
  return new UpstreamEngine({ name, dimensions, maxTokens, fingerprint }, settings, endpoints, encoding);
}

/** Throws when a prompt leaves no room for a text, because every text would then have the same vector. */
function refuseLongPrompts({ name, queryPrompt, documentPrompt }: UpstreamSettings, maxTokens: number): void {
  for (const [field, prompt] of Object.entries({
    query_prompt: queryPrompt,
    document_prompt: documentPrompt,
  })) {
    if (prompt === '' || estimatedTokens(prompt) < maxTokens) continue;
    throw new Error(
      `model ${name}: the ${maxTokens} tokens that it reads leave no room for a text behind its ${field}; set a larger max_tokens (EMBEDDING_MAX_TOKENS), or a shorter prompt`,
    );
  }
}

class UpstreamEngine implements Engine<UpstreamText> {
  readonly model: Model;
  readonly settings: Engine['settings'];
  readonly upstreams: readonly Upstream[];
  readonly concurrency: number;
  readonly maxBatchTokens = maxBatchTokens;
  readonly maxBatchTexts: number;
  readonly briefBatchTokens = maxBatchTokens;
  readonly #settings: UpstreamSettings;
  readonly #endpoints: Endpoints;
  readonly #encoding: Encoding;
  readonly #closing = new AbortController();

  constructor(model: Model, settings: UpstreamSettings, endpoints: Endpoints, encoding: Encoding) {
    this.model = model;
    this.concurrency = settings.concurrency;
    this.settings = { upstreams: settings.urls.length, concurrency: settings.concurrency };
    this.upstreams = endpoints.all;
    this.maxBatchTexts = settings.maxBatchTexts;
    this.#settings = settings;
    this.#endpoints = endpoints;
    this.#encoding = encoding;
  }

  async prepare(texts: readonly string[], inputType: InputType, mayCut = true): Promise<UpstreamText[]> {
    const prompt = inputType === 'query' ? this.#settings.queryPrompt : this.#settings.documentPrompt;
    const prepared = texts.map((text) => new UpstreamText(prompt + text, this.model.maxTokens, mayCut));
    // A `close` in the same turn takes effect first.
    await undefined;
    this.#throwIfClosed();
    return prepared;
  }

  async run(batch: readonly UpstreamText[]): Promise<Float32Array[]> {
    this.#throwIfClosed();
    if (batch.length === 0) return [];
    const deadline = performance.now() + this.#settings.deadlineMs;
    // Halves are computed one after the other, so that `concurrency` is never exceeded.
    const outcomes = await inHalves(batch, {
      compute: (texts) => this.#embed(texts, deadline),
      isOfTexts,
    });
    return vectorsOf(toCallers(outcomes));
  }

  /** Always resolves. A failing upstream affects all replicas alike, so none should be taken out of service for it. */
  async ready(): Promise<void> {}

  async close(): Promise<void> {
    this.#closing.abort(new Error('the upstream engine is closed'));
  }

  async #embed(texts: readonly UpstreamText[], deadline: number): Promise<Float32Array[]> {
    const [first, ...others] = texts;
    const alone = others.length === 0 ? first : undefined;
    try {
      const { vectors, promptTokens } = await this.#ask(
        texts.map(({ text }) => text),
        deadline,
      );
      if (promptTokens !== undefined) shareTokens(texts, promptTokens);
      return vectors;
    } catch (reason) {
      if (!alone || !(reason instanceof InputRefused) || !reason.isTooLong) throw reason;
      return [await this.#embedCut(alone, deadline)];
    }
  }

  /** Cuts a text until the upstream accepts its length. Throws `TextTooLong` if it may not be cut or stays too long. */
  async #embedCut(text: UpstreamText, deadline: number): Promise<Float32Array> {
    let tokens = text.tokenCount;
    for (let cuts = 0; text.mayCut && cuts < maxCuts; cuts += 1) {
      tokens = Math.max(1, Math.floor((tokens * 2) / 3));
      try {
        const { vectors, promptTokens } = await this.#ask([beginning(text.text, tokens)], deadline);
        text.tokenCount = promptTokens ?? tokens;
        return vectors[0]!;
      } catch (reason) {
        if (!(reason instanceof InputRefused)) throw reason;
      }
    }
    throw new TextTooLong(0, null, this.model.maxTokens);
  }

  #ask(texts: readonly string[], deadline: number): Promise<UpstreamResponse> {
    const { timeoutMs } = this.#settings;
    const form = {
      encoding: this.#encoding,
      dimensions: this.model.dimensions,
      timeoutMs,
      signal: this.#closing.signal,
    };
    return this.#endpoints.embeddings(requestFor(texts, this.#settings, form), deadline);
  }

  #throwIfClosed(): void {
    if (this.#closing.signal.aborted) throw unavailable(this.#closing.signal.reason);
  }
}

const isOfTexts = (reason: unknown): boolean =>
  reason instanceof InputRefused || (reason instanceof UpstreamFailure && reason.isOfTexts);

/** Converts upstream failures to `unavailable` errors. Outcomes that share a failure share the converted error. */
function toCallers(outcomes: readonly Outcome[]): Outcome[] {
  const known = new Map<Error, Error>();
  return outcomes.map((outcome, i) => {
    if (outcome instanceof TextTooLong) return outcome.movedTo(i);
    if (outcome instanceof Float32Array || isOfTexts(outcome)) return outcome;
    if (!known.has(outcome)) known.set(outcome, unavailable(outcome, retryAfterSeconds(outcome)));
    return known.get(outcome)!;
  });
}

function retryAfterSeconds(reason: unknown): number {
  const ms = reason instanceof UpstreamFailure ? reason.retryAfterMs : undefined;
  return Math.max(1, Math.ceil((ms ?? 0) / 1_000));
}
