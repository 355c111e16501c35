/** Embeddings by ONNX Runtime in worker threads, from a model directory in the layout of a Hugging Face export. */
import { Gather } from '../../../lib/gather.ts';
import { usableCores, usableMemoryBytes } from '../../../lib/machine.ts';
import { programBeside } from '../../../lib/program-beside.ts';
import type { Engine, InputType, Model, PreparedText } from '../engine.ts';
import { inHalves, vectorsOf } from '../in-halves.ts';
import { type Machine, type ThreadPlan, workersFor } from '../thread-plan.ts';
import { BatchSpeed } from './batch-speed.ts';
import { type Batch, columnsOf } from './graph-inputs.ts';
import type { InferenceData, InferenceReady } from './inference-worker.ts';
import { fingerprintOf, readModelDirectory } from './model-directory.ts';
import type { ModelOverrides } from './overrides.ts';
import type { Prompts } from './prompts.ts';
import { selfTest } from './self-test.ts';
import { Thread } from './thread.ts';
import { ThreadPool } from './thread-pool.ts';
import type { TokenizedTexts, TokenizerData, TokenizerRequest } from './tokenizer-worker.ts';

export interface OnnxEngineOptions {
  /** Holds a graph, `tokenizer.json`, and the files that say how the model is used. */
  readonly directory: string;
  /** The model's name in requests and answers. */
  readonly name: string;
  /** Batches computed at the same time, each by a session of its own; null: as many as the machine has room for. */
  readonly workers: number | null;
  /** Cores that one batch uses. */
  readonly threadsPerWorker: number;
  /** What is said here goes before what the directory's files say. */
  readonly overrides?: ModelOverrides;
  /** Is told what an operator should know of the engine's health. */
  readonly warn?: (what: string) => void;
}

export interface TokenizedText extends PreparedText {
  readonly ids: Int32Array;
}

// The built-in model on one core: 21 tokens × 1, 8, 32, 96 texts give 454, 532, 532, 513 texts/s. A batch longer than this gains
// nothing, and lets the next text wait.
const fullBatchMs = 24;
// Beside large requests: of the speed, 94 % are left (65 % at 8 ms), and a single text takes 2.7 times as long as without them.
const briefBatchMs = 12;
const maxTextsPerTokenizerCall = 256;
// A request of more UTF-16 units is a call of its own, which the tokenizer does in turn with others.
const maxGatheredUnits = 2_048;
// Whoever sends a text that may not be cut wants to know its length; that of one that is this many times too long costs too much.
const countedTimes = 16;

/**
 * Resolves when texts can be computed; the other workers load meanwhile. Throws when a file is missing or malformed, when the
 * tokenizer or an input of the graph is of an unknown kind, or when something that decides the vector is left open: then the
 * message names what settles it.
 */
export async function openOnnxEngine(options: OnnxEngineOptions): Promise<Engine<TokenizedText>> {
  const { directory, name, threadsPerWorker, overrides, warn = () => {} } = options;
  const model = readModelDirectory(directory, overrides);
  const { maxTokens, lowercase, modelFile, pooling, paddingId, matryoshkaDimensions } = model;
  const machine = { cores: usableCores(), memoryBytes: usableMemoryBytes() };
  const workers = options.workers ?? workersFor(model.graphBytes, threadsPerWorker, machine);
  const tokenizer = new Thread<TokenizerRequest, TokenizedTexts>({
    entry: programBeside(import.meta.url, 'tokenizer-worker'),
    name: 'tokenizer',
    data: { directory, maxTokens, lowercase } satisfies TokenizerData,
  });
  const inference = new ThreadPool<Batch, Float32Array, InferenceReady>(workers, {
    entry: programBeside(import.meta.url, 'inference-worker'),
    name: 'inference',
    data: {
      modelFile,
      threads: threadsPerWorker,
      pooling,
      dimensions: model.dimensions,
      paddingId,
      isQuantizing: model.isQuantizing,
      keepsMemory: true,
    } satisfies InferenceData,
  });
  try {
    const [fingerprint, ready] = await Promise.all([
      fingerprintOf(model, overrides),
      inference.start((reason) =>
        warn(`model ${name}: a worker can not start: ${(reason as Error).message}`),
      ),
      tokenizer.start(),
    ]);
    const { dimensions } = ready;
    const described = {
      name,
      dimensions,
      maxTokens,
      fingerprint,
      ...(matryoshkaDimensions && { matryoshkaDimensions }),
    };
    const engine = new OnnxEngine({
      model: described,
      plan: { workers, threadsPerWorker },
      machine,
      prompts: model.prompts,
      tokenizer,
      inference,
    });
    await selfTest(engine, modelFile);
    return engine;
  } catch (error) {
    await Promise.all([tokenizer.close(), inference.close()]);
    throw error;
  }
}

interface Untokenized {
  readonly text: string;
  /** Of a text that has more tokens, the rest isn't looked at. */
  readonly maxCounted: number;
}

interface OnnxEngineParts {
  readonly model: Model;
  readonly plan: ThreadPlan;
  readonly machine: Machine;
  readonly prompts: Prompts;
  readonly tokenizer: Thread<TokenizerRequest, TokenizedTexts>;
  readonly inference: ThreadPool<Batch, Float32Array, InferenceReady>;
}

class OnnxEngine implements Engine<TokenizedText> {
  readonly model: Model;
  readonly concurrency: number;
  readonly settings: Engine['settings'];
  readonly #prompts: Prompts;
  readonly #tokenizer: OnnxEngineParts['tokenizer'];
  readonly #inference: OnnxEngineParts['inference'];
  readonly #tokenizing: Gather<Untokenized, TokenizedText>;
  readonly #speed = new BatchSpeed();
  #isClosed = false;

  constructor({ model, plan, machine, prompts, tokenizer, inference }: OnnxEngineParts) {
    this.model = model;
    this.concurrency = plan.workers;
    this.settings = {
      workers: plan.workers,
      threads_per_worker: plan.threadsPerWorker,
      cores: machine.cores,
      memory_mb: Math.floor(machine.memoryBytes / 1e6),
    };
    this.#prompts = prompts;
    this.#tokenizer = tokenizer;
    this.#inference = inference;
    this.#tokenizing = new Gather((items) => this.#tokenize(items), { maxItems: maxTextsPerTokenizerCall });
  }

  get maxBatchTokens(): number {
    return this.#speed.tokensIn(fullBatchMs);
  }

  get briefBatchTokens(): number {
    return this.#speed.tokensIn(briefBatchMs);
  }

  prepare(texts: readonly string[], inputType: InputType, mayCut = true): Promise<TokenizedText[]> {
    const prompt = this.#prompts[inputType];
    const maxCounted = this.model.maxTokens * (mayCut ? 1 : countedTimes);
    const items = texts.map((text) => ({ text: prompt + text, maxCounted }));
    const units = items.reduce((sum, { text }) => sum + text.length, 0);
    return units > maxGatheredUnits
      ? this.#tokenize(items)
      : Promise.all(items.map((item) => this.#tokenizing.add(item)));
  }

  async #tokenize(items: readonly Untokenized[]): Promise<TokenizedText[]> {
    const request = {
      texts: items.map(({ text }) => text),
      maxCounted: items.map(({ maxCounted }) => maxCounted),
    };
    return split(await this.#tokenizer.call(request));
  }

  async run(batch: readonly TokenizedText[]): Promise<Float32Array[]> {
    if (batch.length === 0) return [];
    // Whatever ONNX Runtime fails at, the texts of others may do without it.
    const outcomes = await inHalves(batch, {
      compute: (texts) => this.#compute(texts),
      isOfTexts: () => !this.#isClosed,
    });
    return vectorsOf(outcomes);
  }

  async #compute(batch: readonly TokenizedText[]): Promise<Float32Array[]> {
    const request = join(batch);
    const beganMs = performance.now();
    const vectors = await this.#inference.call(request, [request.ids.buffer]);
    this.#speed.observe(columnsOf(request) * batch.length, performance.now() - beganMs);
    // Copies, so that whoever keeps one vector doesn't keep the batch.
    return batch.map((_, i) => vectors.slice(i * this.model.dimensions, (i + 1) * this.model.dimensions));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#tokenizer.close(), this.#inference.close()]);
  }
}

function split({ ids, tokenCounts, fullTokenCounts }: TokenizedTexts): TokenizedText[] {
  let start = 0;
  return tokenCounts.map((tokenCount, i) => {
    const end = start + tokenCount;
    const text = { tokenCount, fullTokenCount: fullTokenCounts[i]!, ids: ids.slice(start, end) };
    start = end;
    return text;
  });
}

function join(batch: readonly TokenizedText[]): Batch & { ids: Int32Array<ArrayBuffer> } {
  const tokenCounts = batch.map((text) => text.tokenCount);
  const ids = new Int32Array(tokenCounts.reduce((sum, count) => sum + count, 0));
  let next = 0;
  for (const text of batch) {
    ids.set(text.ids, next);
    next += text.tokenCount;
  }
  return { ids, tokenCounts };
}
