import type { Clock } from '../lib/clock.ts';
import { dayOf } from '../quota/window.ts';

/** What happened under one key on one day, beside what the ledger counts. */
export interface UsageDelta {
  readonly orgId: string;
  readonly keyId: string;
  /** Days since the Unix epoch. */
  readonly day: number;
  readonly cached: number;
  readonly failed: number;
  readonly texts: number;
  readonly tokens: number;
  /** Milliseconds since the Unix epoch. */
  readonly lastUsedAt: number;
}

export interface UsageSink {
  /** Adds to what is stored; `lastUsedAt` only moves forward. */
  add(deltas: readonly UsageDelta[]): Promise<void>;
}

type Key = { readonly orgId: string; readonly keyId: string };
type Pending = { -readonly [Field in keyof UsageDelta]: UsageDelta[Field] };

const intervalMs = 1_000;
/** While the store is away, deltas of at most this many keys and days are kept; further ones are dropped and told. */
const maxPending = 50_000;

/** Gathers what needs no durability per request, and writes it each second and at close. */
export class UsageRecorder {
  readonly #sink: UsageSink;
  readonly #clock: Clock;
  readonly #onError: (reason: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #pending = new Map<string, Pending>();
  #writing: Promise<void> | undefined;

  constructor(sink: UsageSink, clock: Clock, onError: (reason: unknown) => void) {
    this.#sink = sink;
    this.#clock = clock;
    this.#onError = onError;
    this.#timer = setInterval(() => this.flush(), intervalMs).unref();
  }

  /** A request was answered; `cached`: without computing, and so without being counted. */
  embedded(
    key: Key,
    answer: { cached: boolean; embeddings: readonly unknown[]; promptTokens: number },
  ): void {
    const pending = this.#pendingOf(key);
    if (!pending) return;
    if (answer.cached) pending.cached += 1;
    pending.texts += answer.embeddings.length;
    pending.tokens += answer.promptTokens;
  }

  /** A request was refused or failed. */
  failed(key: Key): void {
    const pending = this.#pendingOf(key);
    if (pending) pending.failed += 1;
  }

  /** Writes what has gathered. Never rejects: what could not be written stays for the next time. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#pending.size === 0) return;
    const taken = this.#pending;
    this.#pending = new Map();
    this.#writing = this.#sink
      .add([...taken.values()])
      .catch((reason) => {
        this.#onError(reason);
        for (const delta of taken.values()) this.#putBack(delta);
      })
      .finally(() => {
        this.#writing = undefined;
      });
    await this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #pendingOf({ orgId, keyId }: Key): Pending | undefined {
    const nowMs = this.#clock.now();
    const day = dayOf(nowMs);
    const id = idOf({ orgId, keyId, day });
    let pending = this.#pending.get(id);
    if (!pending) {
      if (this.#pending.size >= maxPending) {
        this.#onError(new Error(`more than ${maxPending} usage records wait for the store; one was dropped`));
        return undefined;
      }
      pending = { orgId, keyId, day, cached: 0, failed: 0, texts: 0, tokens: 0, lastUsedAt: nowMs };
      this.#pending.set(id, pending);
    }
    pending.lastUsedAt = Math.max(pending.lastUsedAt, nowMs);
    return pending;
  }

  #putBack(delta: Pending): void {
    const id = idOf(delta);
    const since = this.#pending.get(id);
    if (since) {
      since.cached += delta.cached;
      since.failed += delta.failed;
      since.texts += delta.texts;
      since.tokens += delta.tokens;
    } else {
      this.#pending.set(id, delta);
    }
  }
}

/** A session's requests are recorded under the user's id, which is the same in each of their organizations. */
const idOf = ({ orgId, keyId, day }: Key & { readonly day: number }): string => `${orgId} ${keyId} ${day}`;
