/** Embeddings by an OpenAI-compatible server: Ollama, TEI, vLLM, OpenAI, another Embedgate. */
import { createHash } from 'node:crypto';
import { unavailable } from '../../../errors.ts';
import { TextTooLong } from '../../text-too-long.ts';
import { type Engine, type InputType, type Model, PartlyFailed, type Upstream } from '../engine.ts';
import type { UpstreamSettings } from '../settings.ts';
import { type Answer, readAnswer } from './answer.ts';
import { Endpoint } from './endpoint.ts';
import { Endpoints } from './endpoints.ts';
import { InputRefused, UpstreamFailure } from './failures.ts';
import { type Encoding, probe } from './probe.ts';
import { beginning, UpstreamText } from './upstream-text.ts';

// Raise it when this code asks for another vector of the same text.
const requestVersion = 1;
const maxBatchTokens = 8_192;
/** Of one number, with all that stands around it: JSON of a float64 has at most 24 characters. */
const maxNumberBytes = 32;
const maxEnvelopeBytes = 65_536;
/** Each makes a text shorter by a third. */
const maxCuts = 6;

/**
 * Resolves when the upstream has told what its model is like. Throws one line when it can't be reached or refuses.
 * `warn` is told of changes in its health.
 */
export async function openUpstreamEngine(
  settings: UpstreamSettings,
  warn: (what: string) => void,
): Promise<Engine<UpstreamText>> {
  const endpoints = new Endpoints(
    settings.urls.map((url) => {
      const endpoint: Endpoint = new Endpoint(url, {
        key: settings.key,
        onChange: (what) => warn(`model ${settings.name}: ${endpoint.name} ${what}`),
      });
      return endpoint;
    }),
  );
  const { dimensions, maxTokens, encoding } = await probe(endpoints, settings, warn);
  const { name } = settings;
  const fingerprint = fingerprintOf(settings, dimensions, maxTokens);
  return new UpstreamEngine({ name, dimensions, maxTokens, fingerprint }, settings, endpoints, encoding);
}

/** Not the addresses: the same model elsewhere keeps its cached vectors. `revision` is for a change that nothing else tells. */
function fingerprintOf(settings: UpstreamSettings, dimensions: number, maxTokens: number): string {
  const { model, revision, queryPrompt, documentPrompt } = settings;
  return createHash('sha256')
    .update(
      JSON.stringify([
        ...['upstream', requestVersion, model, revision],
        ...[dimensions, maxTokens, queryPrompt, documentPrompt],
      ]),
    )
    .digest('hex');
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
    // A close in this very turn comes first.
    await undefined;
    this.#throwIfClosed();
    return prepared;
  }

  async run(batch: readonly UpstreamText[]): Promise<Float32Array[]> {
    this.#throwIfClosed();
    if (batch.length === 0) return [];
    const outcomes = await this.#embed(batch, performance.now() + this.#settings.deadlineMs);
    const vectors = outcomes.filter((outcome) => outcome instanceof Float32Array);
    if (vectors.length === outcomes.length) return vectors;
    throw new PartlyFailed(
      outcomes.map((outcome, i) => (outcome instanceof TextTooLong ? outcome.movedTo(i) : outcome)),
    );
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the upstream engine is closed'));
  }

  /**
   * Finds out, by halves, which text a refusal is about: the others are other people's. One after the other, so that the
   * upstream is not asked for more at a time than it should be.
   */
  async #embed(texts: readonly UpstreamText[], deadline: number): Promise<(Float32Array | Error)[]> {
    const [first, ...others] = texts;
    const alone = others.length === 0 ? first : undefined;
    try {
      const { vectors, promptTokens } = await this.#ask(
        texts.map(({ text }) => text),
        deadline,
      );
      // What several came to together says nothing exact of one.
      if (alone && promptTokens !== undefined) alone.tokenCount = promptTokens;
      return vectors;
    } catch (reason) {
      if (!(reason instanceof InputRefused)) throw unavailable(reason, retryAfterSeconds(reason));
      if (alone) return [await this.#embedRefused(alone, reason, deadline)];
      const half = Math.ceil(texts.length / 2);
      const outcomes = await this.#embed(texts.slice(0, half), deadline);
      return [...outcomes, ...(await this.#embed(texts.slice(half), deadline))];
    }
  }

  /** A text that alone is too long by the upstream's count is cut until it is not, where it may be cut. */
  async #embedRefused(
    text: UpstreamText,
    refusal: InputRefused,
    deadline: number,
  ): Promise<Float32Array | Error> {
    if (!refusal.isTooLong) return refusal;
    let tokens = text.tokenCount;
    for (let cuts = 0; text.mayCut && cuts < maxCuts; cuts += 1) {
      tokens = Math.max(1, Math.floor((tokens * 2) / 3));
      try {
        const { vectors, promptTokens } = await this.#ask([beginning(text.text, tokens)], deadline);
        text.tokenCount = promptTokens ?? tokens;
        return vectors[0]!;
      } catch (reason) {
        if (!(reason instanceof InputRefused)) throw unavailable(reason, retryAfterSeconds(reason));
      }
    }
    return new TextTooLong(0, null, this.model.maxTokens);
  }

  #ask(texts: readonly string[], deadline: number): Promise<Answer> {
    const { model, timeoutMs } = this.#settings;
    const { dimensions } = this.model;
    // Servers refuse an empty text; a space says as little.
    const input = texts.map((text) => text || ' ');
    return this.#endpoints.embeddings(
      {
        body: JSON.stringify({ model, input, encoding_format: this.#encoding }),
        maxAnswerBytes: texts.length * dimensions * maxNumberBytes + maxEnvelopeBytes,
        timeoutMs,
        signal: this.#closing.signal,
        read: (json) => readAnswer(json, { texts: texts.length, dimensions }),
      },
      deadline,
    );
  }

  #throwIfClosed(): void {
    if (this.#closing.signal.aborted) throw unavailable(this.#closing.signal.reason);
  }
}

function retryAfterSeconds(reason: unknown): number {
  const ms = reason instanceof UpstreamFailure ? reason.retryAfterMs : undefined;
  return Math.max(1, Math.ceil((ms ?? 0) / 1_000));
}
