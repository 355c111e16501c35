import { hash } from 'node:crypto';
import type { Engine, InputType, Model, PreparedText } from '../../../packages/engine/src/index.ts';

export interface FixtureText extends PreparedText {
  readonly text: string;
  readonly inputType: InputType;
}

const model: Model = { name: 'fixture', dimensions: 8, maxTokens: 128, fingerprint: 'fixture-1' };

/** A unit vector that depends on the whole text and its input type. */
export function fixtureVector(text: string, inputType: InputType): Float32Array {
  const bytes = hash('sha256', `${inputType} ${text}`, 'buffer').subarray(0, model.dimensions);
  const norm = Math.hypot(...bytes.map((byte) => byte + 1));
  return Float32Array.from(bytes, (byte) => (byte + 1) / norm);
}

/** As many tokens as words. */
export const fixtureTokens = (text: string): number => text.split(' ').length;

/** An engine whose vectors are digests, and whose calls a test can watch, delay and make fail. */
export class FixtureEngine implements Engine<FixtureText> {
  readonly model = model;
  readonly settings = {};
  readonly concurrency: number;
  readonly overheadTokens: number;
  readonly padsTexts: boolean;
  readonly maxBatchTokens: number;
  readonly briefBatchTokens: number;
  readonly batches: FixtureText[][] = [];
  /** Replaced by tests to delay or fail. */
  beforePrepare: (texts: readonly string[]) => Promise<void> = async () => {};
  beforeRun: (batch: readonly FixtureText[]) => Promise<void> = async () => {};
  vectorOf: (text: FixtureText) => Float32Array = ({ text, inputType }) => fixtureVector(text, inputType);
  running = 0;
  mostRunning = 0;

  constructor(
    options: {
      concurrency?: number;
      overheadTokens?: number;
      padsTexts?: boolean;
      maxBatchTokens?: number;
      briefBatchTokens?: number;
    } = {},
  ) {
    this.concurrency = options.concurrency ?? 1;
    this.overheadTokens = options.overheadTokens ?? 0;
    this.padsTexts = options.padsTexts ?? true;
    this.maxBatchTokens = options.maxBatchTokens ?? 256;
    this.briefBatchTokens = options.briefBatchTokens ?? this.maxBatchTokens;
  }

  get computedTexts(): string[] {
    return this.batches.flat().map(({ text }) => text);
  }

  async ready(): Promise<void> {}

  async prepare(texts: readonly string[], inputType: InputType): Promise<FixtureText[]> {
    await this.beforePrepare(texts);
    return texts.map((text) => {
      const fullTokenCount = fixtureTokens(text);
      const tokenCount = Math.min(fullTokenCount, model.maxTokens);
      return { text, inputType, fullTokenCount, tokenCount, isCut: fullTokenCount > tokenCount };
    });
  }

  async run(batch: readonly FixtureText[]): Promise<Float32Array[]> {
    this.batches.push([...batch]);
    this.running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    try {
      await this.beforeRun(batch);
      return batch.map((text) => this.vectorOf(text));
    } finally {
      this.running -= 1;
    }
  }

  async close(): Promise<void> {}
}

/** Stops each caller until a test releases it. */
export class Gate {
  readonly #waiting: (() => void)[] = [];
  #arrival = Promise.withResolvers<void>();
  #isOpen = false;

  readonly pass = (): Promise<void> => {
    if (this.#isOpen) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.#arrival.resolve();
    this.#arrival = Promise.withResolvers();
    return promise;
  };

  /** Resolves when `count` callers wait here. */
  async reached(count = 1): Promise<void> {
    while (this.#waiting.length < count) await this.#arrival.promise;
  }

  /** Releases the first caller. */
  letOne(): void {
    this.#waiting.shift()?.();
  }

  /** Releases all callers, from now on. */
  open(): void {
    this.#isOpen = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
