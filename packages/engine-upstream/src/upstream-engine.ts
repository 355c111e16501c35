/**
 * Embeddings from an OpenAI-compatible server such as Ollama, TEI, vLLM, OpenAI or another Embedgate, or scores from
 * one with Cohere's and Jina's route for reranking.
 */

import {
  type Engine,
  type InputType,
  inHalves,
  type Model,
  promptedTypes,
  splitPair,
  TextRefused,
  TextTooLong,
  type TraceHeaders,
  type Upstream,
  type VectorOrError,
  vectorsOf,
} from '../../engine/src/index.ts';
import { Unavailable } from '../../small/src/errors.ts';
import { type BatchState, Endpoint } from './endpoint.ts';
import { Endpoints } from './endpoints.ts';
import { InputRefused, UpstreamFailure } from './failures.ts';
import { fingerprintOf } from './fingerprint.ts';
import { probe } from './probe.ts';
import { requestFor } from './request.ts';
import type { UpstreamResponse } from './response.ts';
import type { UpstreamSettings } from './settings.ts';
import { type KeepVectors, prove, UpstreamTrial } from './trial.ts';
import { cutTo, shareTokens, tokensOfLength, UpstreamText } from './upstream-text.ts';

const maxBatchTokens = 8_192;
/** An estimate, because measuring it would send paid requests to the upstream. */
const overheadTokens = 8;
/** Maximum number of cuts. Each shortens a text by a third. */
const maxCuts = 6;

interface UpstreamContext {
  /** Whether only the addresses distinguish this model from another. */
  readonly isByAddress?: boolean;
  /** Keeps the vectors of the trial for later starts. Default: keeps nothing. */
  readonly keepVectors?: KeepVectors | undefined;
  /** Ends the attempt to open the upstream. */
  readonly signal?: AbortSignal | undefined;
}

/** What is known while a batch, its halves and its cut texts are computed. */
interface Run extends BatchState {
  readonly deadline: number;
  /** Set when the upstream has rejected a text as too long, however far it was cut. */
  rejectsCuts: boolean;
  readonly trace: TraceHeaders | undefined;
}

/**
 * Opens an upstream after finding its model's properties and testing its addresses. Throws a one-line message when the
 * upstream can't be reached, rejects the request or returns wrong vectors. An unreachable address is tested before its
 * first use. `warn` logs changes of health.
 */
export async function openUpstreamEngine(
  settings: UpstreamSettings,
  warn: (what: string) => void,
  {
    isByAddress = false,
    keepVectors = async (_, vectors) => vectors,
    signal = new AbortController().signal,
  }: UpstreamContext = {},
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
  const { dimensions, maxTokens } = await probe(endpoints, settings, { warn, signal });
  refuseLongPrompts(settings, maxTokens);
  const fingerprint = fingerprintOf(settings, { dimensions, maxTokens, isByAddress });
  const trial = new UpstreamTrial(settings, { dimensions, fingerprint }, keepVectors);
  await prove(endpoints.all, trial, signal);
  const prompts = { query: settings.queryPrompt, document: settings.documentPrompt };
  const { facts, task, scores } = settings;
  const model = {
    name,
    task,
    hasFinalScores: scores !== 'logits',
    dimensions,
    maxTokens,
    fingerprint,
    facts,
    promptedTypes: promptedTypes(prompts),
  };
  return new UpstreamEngine(model, { settings, endpoints, trial });
}

interface UpstreamParts {
  readonly settings: UpstreamSettings;
  readonly endpoints: Endpoints;
  readonly trial: UpstreamTrial;
}

/** Throws when a prompt leaves no room for a text, because every text would then have the same vector. */
function refuseLongPrompts({ name, queryPrompt, documentPrompt }: UpstreamSettings, maxTokens: number): void {
  for (const [field, prompt] of Object.entries({
    query_prompt: queryPrompt,
    document_prompt: documentPrompt,
  })) {
    if (prompt === '' || tokensOfLength(prompt) < maxTokens) continue;
    throw new Error(
      `model ${name}: the ${maxTokens} tokens that it reads leave no room for a text behind its ${field}; set ` +
        'a larger max_tokens (EMBEDDING_MAX_TOKENS), or a shorter prompt',
    );
  }
}

class UpstreamEngine implements Engine<UpstreamText> {
  readonly model: Model;
  readonly settings: Engine['settings'];
  readonly upstreams: readonly Upstream[];
  readonly concurrency: number;
  readonly overheadTokens = overheadTokens;
  /** What the server does isn't known, and most pad. */
  readonly padsTexts = true;
  readonly maxBatchTokens = maxBatchTokens;
  readonly maxBatchTexts: number;
  readonly briefBatchTokens = maxBatchTokens;
  // A request costs more there than the time that several half-full ones save.
  readonly prefersFullBatches = true;
  readonly #settings: UpstreamSettings;
  readonly #endpoints: Endpoints;
  readonly #trial: UpstreamTrial;
  readonly #closing = new AbortController();

  constructor(model: Model, { settings, endpoints, trial }: UpstreamParts) {
    this.model = model;
    this.concurrency = settings.concurrency;
    this.settings = { upstreams: settings.urls.length, concurrency: settings.concurrency };
    this.upstreams = endpoints.all;
    this.maxBatchTexts = settings.maxBatchTexts;
    this.#settings = settings;
    this.#endpoints = endpoints;
    this.#trial = trial;
  }

  async prepare(texts: readonly string[], inputType: InputType, mayCut = true): Promise<UpstreamText[]> {
    const prompt = inputType === 'query' ? this.#settings.queryPrompt : this.#settings.documentPrompt;
    const { maxTokens } = this.model;
    const prepared = texts.map(
      (text) => new UpstreamText(prompt + text, maxTokens, mayCut, this.#isReranker),
    );
    // A `close` in the same turn takes effect first.
    await undefined;
    this.#throwIfClosed();
    return prepared;
  }

  async run(batch: readonly UpstreamText[], trace?: TraceHeaders): Promise<Float32Array[]> {
    this.#throwIfClosed();
    if (batch.length === 0) return [];
    const deadline = performance.now() + this.#settings.deadlineMs;
    const run: Run = { deadline, isAlive: false, rejectsCuts: false, trace };
    // A request for scores has one query.
    const groups = this.#isReranker ? Map.groupBy(batch, ({ text }) => splitPair(text)[0]).values() : [batch];
    const outcomes = new Map<UpstreamText, VectorOrError>();
    // Groups and halves are computed one after the other, so that `concurrency` is never exceeded.
    for (const group of groups) {
      const found = await inHalves(group, { compute: (texts) => this.#embed(texts, run), isOfTexts });
      for (const [i, text] of group.entries()) outcomes.set(text, found[i]!);
    }
    return vectorsOf(toCallers(batch.map((text) => outcomes.get(text)!)));
  }

  /** Always resolves. A failing upstream affects all replicas alike, so none should be taken out of service for it. */
  async ready(): Promise<void> {}

  async close(): Promise<void> {
    this.#closing.abort(new Error('the upstream engine is closed'));
  }

  async #embed(texts: readonly UpstreamText[], run: Run): Promise<Float32Array[]> {
    const [first, ...others] = texts;
    const alone = others.length === 0 ? first : undefined;
    try {
      const { vectors, promptTokens } = await this.#ask(
        texts.map(({ text }) => text),
        run,
      );
      if (promptTokens !== undefined) shareTokens(texts, promptTokens);
      return vectors;
    } catch (reason) {
      if (!alone || !(reason instanceof InputRefused) || !reason.isTooLong) throw reason;
      return [await this.#embedCut(alone, run)];
    }
  }

  /**
   * Cuts a text until the upstream accepts its length. Throws `TextTooLong` if it may not be cut, and an
   * UpstreamFailure if the upstream rejects it whatever its length.
   */
  async #embedCut(text: UpstreamText, run: Run): Promise<Float32Array> {
    if (!text.mayCut) throw new TextTooLong(0, null, this.model.maxTokens);
    let tokens = text.tokenCount;
    for (let cuts = 0; cuts < maxCuts && !run.rejectsCuts; cuts += 1) {
      tokens = Math.max(1, Math.floor((tokens * 2) / 3));
      try {
        const { vectors, promptTokens } = await this.#ask([cutTo(tokens, text.text, this.#isReranker)], run);
        text.tokenCount = promptTokens ?? tokens;
        text.isCut = true;
        return vectors[0]!;
      } catch (reason) {
        if (!(reason instanceof InputRefused)) throw reason;
      }
    }
    run.rejectsCuts = true;
    throw new UpstreamFailure(
      `model ${this.model.name}: the upstream rejects texts as too long, however far they are cut`,
      { isOfTexts: true },
    );
  }

  #ask(texts: readonly string[], run: Run): Promise<UpstreamResponse> {
    const { timeoutMs } = this.#settings;
    const form = {
      dimensions: this.model.dimensions,
      addedTokens: this.#trial.addedTokens,
      timeoutMs,
      signal: this.#closing.signal,
      trace: run.trace,
    };
    return this.#endpoints.send(requestFor(texts, this.#settings, form), run.deadline, run);
  }

  get #isReranker(): boolean {
    return this.model.task === 'rerank';
  }

  #throwIfClosed(): void {
    if (this.#closing.signal.aborted) throw Unavailable.of(this.#closing.signal.reason);
  }
}

const isOfTexts = (reason: unknown): boolean =>
  reason instanceof InputRefused || (reason instanceof UpstreamFailure && reason.isOfTexts);

/** Reports whether a text fails for itself: the address computes another one, and no other try could go better. */
const isFinal = (reason: unknown): reason is Error =>
  reason instanceof InputRefused
    ? reason.isOfText
    : reason instanceof UpstreamFailure && reason.isOfTexts && reason.isFinal;

/** Converts upstream failures to `Unavailable` errors. Outcomes that share a failure share the converted error. */
function toCallers(outcomes: readonly VectorOrError[]): VectorOrError[] {
  const known = new Map<Error, Error>();
  return outcomes.map((outcome, i) => {
    if (outcome instanceof TextTooLong) return outcome.movedTo(i);
    if (isFinal(outcome)) return new TextRefused(i, outcome.message);
    if (outcome instanceof Float32Array || isOfTexts(outcome)) return outcome;
    if (!known.has(outcome)) known.set(outcome, new Unavailable(outcome, retryAfterSeconds(outcome)));
    return known.get(outcome)!;
  });
}

function retryAfterSeconds(reason: unknown): number {
  const ms = reason instanceof UpstreamFailure ? reason.retryAfterMs : undefined;
  return Math.max(1, Math.ceil((ms ?? 0) / 1_000));
}
