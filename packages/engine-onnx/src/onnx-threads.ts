import {
  type Engine,
  type InputType,
  inHalves,
  type Model,
  maxUnitsBefore,
  NotTokenized,
  type PreparedText,
  sampleFor,
  type Tokenization,
  vectorsOf,
} from '../../engine/src/index.ts';
import { Unavailable } from '../../small/src/errors.ts';
import { expandedUnits } from '../../small/src/expanded-units.ts';
import { Gather } from '../../small/src/gather.ts';
import type { Thread } from '../../small/src/threads/thread.ts';
import { batchOf, columnsOf } from './batch.ts';
import type { Inference } from './inference.ts';
import type { MemoryPlan } from './memory-plan.ts';
import type { Prompts } from './prompts.ts';
import type { Machine, ThreadPlan } from './thread-plan.ts';
import type { TokenizedText } from './tokenized-text.ts';
import { readUnits, type Tokenizer } from './tokenizer.ts';
import type { TokenizerCall, TokenizerReply } from './tokenizer-worker.ts';
import type { WorkingMemory } from './working-memory.ts';

/** The engine of a model with several inference threads, and one for long texts. */

// The built-in model on one core with AVX2: 21 tokens × 1, 8, 32, 96 texts give 203, 248, 238, 230 texts/s. A longer
// batch gains nothing, and makes the next text wait. With 8 ms, the native encoder takes 5 % more of the processor.
const fullBatchMs = 24;
// For use beside large requests: keeps 94 % of the throughput (65 % at 8 ms), and a single text takes 2.7 times as long
// as without them.
const briefBatchMs = 12;
// A call that has begun can't be stopped, so it must not take long.
const maxTextsPerTokenizerCall = 64;
// A request with more UTF-16 units gets a call of its own, in the tokenizer's thread.
const maxGatheredUnits = 2_048;

interface OnnxEngineParts {
  readonly model: Model;
  readonly plan: ThreadPlan;
  /** What computes, in words for the log. */
  readonly runtime: string;
  readonly machine: Machine;
  readonly memory: WorkingMemory;
  readonly memoryPlan: MemoryPlan;
  readonly padsTexts: boolean;
  readonly onClose: () => void;
  readonly prompts: Prompts;
  readonly tokenizer: Tokenizer;
  /** Begins with the first long text, or when a client asks for tokens. */
  readonly tokenizerThread: Thread<TokenizerCall, TokenizerReply>;
  readonly inference: Inference;
}

export class OnnxEngine implements Engine<TokenizedText> {
  readonly model: Model;
  readonly concurrency: number;
  readonly padsTexts: boolean;
  readonly settings: Engine['settings'];
  readonly #prompts: Prompts;
  readonly #tokenizer: Tokenizer;
  readonly #tokenizerThread: OnnxEngineParts['tokenizerThread'];
  readonly #inference: OnnxEngineParts['inference'];
  readonly #parts: Pick<OnnxEngineParts, 'memory' | 'memoryPlan' | 'onClose'>;
  readonly #tokenizing: Gather<string, TokenizedText>;
  readonly #speed = new BatchSpeed();
  #overheadTokens = 0;
  #isClosed = false;

  constructor({
    model,
    plan,
    runtime,
    machine,
    prompts,
    padsTexts,
    tokenizer,
    tokenizerThread,
    inference,
    ...parts
  }: OnnxEngineParts) {
    this.model = model;
    this.padsTexts = padsTexts;
    this.concurrency = plan.workers;
    this.settings = {
      runtime,
      workers: plan.workers,
      threads_per_worker: plan.threadsPerWorker,
      cores: machine.cores,
      memory_mb: Math.floor(machine.memoryBytes / 1e6),
      longest_text_mb: Math.ceil(parts.memoryPlan.textBytes / 1e6),
      [parts.memoryPlan.areHeadsAssumed ? 'heads_assumed' : 'heads']: parts.memoryPlan.heads,
    };
    this.#parts = parts;
    this.#prompts = prompts;
    this.#tokenizer = tokenizer;
    this.#tokenizerThread = tokenizerThread;
    this.#inference = inference;
    this.#tokenizing = new Gather((some) => this.#encode(some), { maxItems: maxTextsPerTokenizerCall });
  }

  get overheadTokens(): number {
    return this.#overheadTokens;
  }

  /** Measures `overheadTokens`. Called once, before texts of clients are computed. */
  async measure(): Promise<void> {
    this.#overheadTokens = await measureOverhead(this);
  }

  get maxBatchTokens(): number {
    return Math.min(this.#speed.tokensIn(fullBatchMs), this.#parts.memoryPlan.maxBatchTokens);
  }

  get briefBatchTokens(): number {
    return Math.min(this.#speed.tokensIn(briefBatchMs), this.#parts.memoryPlan.maxBatchTokens);
  }

  prepare(texts: readonly string[], inputType: InputType): Promise<TokenizedText[]> {
    // One unit more than is read shows that there is more.
    const units = readUnits(this.model.maxTokens) + 1 + (this.model.task === 'rerank' ? maxUnitsBefore : 0);
    const prompted = texts.map((text) => (this.#prompts[inputType] + text).slice(0, units));
    return prompted.reduce((sum, { length }) => sum + length, 0) > maxGatheredUnits
      ? (this.#tokenizerThread.call(prompted) as Promise<TokenizedText[]>)
      : Promise.all(prompted.map((text) => this.#tokenizing.add(text)));
  }

  async #encode(texts: readonly string[]): Promise<TokenizedText[]> {
    const encoded = await this.#tokenizer.encode(texts);
    if (this.#isClosed) throw Unavailable.of(new Error('The engine is closed'));
    return encoded;
  }

  async tokenize(some: readonly string[], type: InputType, how: Tokenization): Promise<Uint8Array> {
    const units = readUnits(this.model.maxTokens);
    const texts = some.map((text) => this.#prompts[type] + text);
    if (texts.some((text) => expandedUnits(text) > units))
      throw new NotTokenized(
        `A text can have at most ${units} UTF-16 code units to be tokenized, with the prompt and with ` +
          'ligatures as their letters',
      );
    return (await this.#tokenizerThread.call({ texts, ...how })) as Uint8Array;
  }

  async run(batch: readonly TokenizedText[]): Promise<Float32Array[]> {
    if (batch.length === 0) return [];
    // Any failure of ONNX Runtime may be caused by one text and spare the others.
    const outcomes = await inHalves(batch, {
      compute: (texts) => this.#compute(texts),
      isOfTexts: () => !this.#isClosed,
    });
    return vectorsOf(outcomes);
  }

  async #compute(batch: readonly TokenizedText[]): Promise<Float32Array[]> {
    const request = batchOf(batch);
    const columns = columnsOf(request);
    const { memory, memoryPlan } = this.#parts;
    const padded = this.padsTexts ? columns * batch.length : request.ids.length;
    const tokens = padded + this.#overheadTokens * batch.length;
    const vectors = await memory.use(
      memoryPlan.bytesOf(this.padsTexts ? batch.length : 1, columns),
      async () => {
        const beganMs = performance.now();
        const computed = await this.#inference.call(request, [request.ids.buffer]);
        this.#speed.observe(tokens, performance.now() - beganMs);
        return computed;
      },
    );
    // Copies, so that keeping one vector doesn't keep the whole batch.
    return batch.map((_, i) => vectors.slice(i * this.model.dimensions, (i + 1) * this.model.dimensions));
  }

  async ready(): Promise<void> {
    await this.#inference.ready();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#tokenizerThread.close(), this.#inference.close()]);
    this.#parts.onClose();
  }
}

/** Weight of the newest batch in the moving average. */
const newestWeight = 0.1;
/** The estimate before the first batch: a small model on one slow core. */
const initialTokensPerMs = 8;

/** Measures how many tokens this model computes in a given time on this machine, overhead included. */
class BatchSpeed {
  #tokensPerMs = initialTokensPerMs;

  /** Returns how many tokens a batch can have to take this long; at least 1. */
  tokensIn(milliseconds: number): number {
    return Math.max(1, Math.round(this.#tokensPerMs * milliseconds));
  }

  /** Records a batch. `tokens` includes the padding and the overhead of its texts. */
  observe(tokens: number, tookMs: number): void {
    if (tookMs <= 0) return;
    this.#tokensPerMs += newestWeight * (tokens / tookMs - this.#tokensPerMs);
  }
}

/** Few, because a large model takes a second for each. */
const rounds = 2;
/** At least one, so that a text without tokens is not free. */
const overheadBounds = { min: 1, max: 64 };
/** Distinct, so that nothing on the way could remember them. One token or two each. */
const shortTexts = Array.from({ length: 16 }, (_, i) => `w${i}`);
const longTexts = ['some words of a long text '.repeat(8)];

interface Cost {
  readonly tokensPerText: number;
  readonly cpuPerText: number;
}

/**
 * Returns what a text costs besides its tokens, in tokens of this model on this machine: 1 to 64. Compares the
 * processor time of short texts with that of long ones, from the string to the JSON of the vector. Processor time,
 * because other processes change the elapsed time.
 */
export async function measureOverhead<P extends PreparedText>(
  engine: Engine<P>,
  cpuUsage: typeof process.cpuUsage = process.cpuUsage,
): Promise<number> {
  const short = await cheapest(engine, shortTexts, cpuUsage);
  const long = await cheapest(engine, longTexts, cpuUsage);
  const cpuPerToken = (long.cpuPerText - short.cpuPerText) / (long.tokensPerText - short.tokensPerText);
  // Tokens whose cost is lost in the noise cost little beside their text.
  if (!(cpuPerToken > 0)) return overheadBounds.max;
  const overhead = short.cpuPerText / cpuPerToken - short.tokensPerText;
  return Math.round(Math.min(overheadBounds.max, Math.max(overheadBounds.min, overhead)));
}

/** Returns the lowest of several measurements: other work of this process can only add to one. */
async function cheapest<P extends PreparedText>(
  engine: Engine<P>,
  texts: readonly string[],
  cpuUsage: typeof process.cpuUsage,
): Promise<Cost> {
  await costOf(engine, texts, cpuUsage);
  const costs: Cost[] = [];
  for (let round = 0; round < rounds; round += 1) costs.push(await costOf(engine, texts, cpuUsage));
  return costs.reduce((lowest, cost) => (cost.cpuPerText < lowest.cpuPerText ? cost : lowest));
}

async function costOf<P extends PreparedText>(
  engine: Engine<P>,
  texts: readonly string[],
  cpuUsage: typeof process.cpuUsage,
): Promise<Cost> {
  const before = cpuUsage();
  const prepared = await engine.prepare(
    texts.map((text) => sampleFor(engine.model, text)),
    'document',
  );
  const vectors = await engine.run(prepared);
  for (const vector of vectors) JSON.stringify(Array.from(vector));
  const { user, system } = cpuUsage(before);
  const tokens = prepared.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  return { tokensPerText: tokens / texts.length, cpuPerText: (user + system) / texts.length };
}
