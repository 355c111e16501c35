import { join } from 'node:path';
import { nativeKernel, type TokenBatch } from '../../encoder-native/src/index.ts';
import { type Engine, type Facts, type ModelOverrides, promptedTypes } from '../../engine/src/index.ts';
import { ifAbsent, messageOf } from '../../small/src/errors.ts';
import { usableCores, usableMemoryBytes } from '../../small/src/machine.ts';
import { programBeside, Thread } from '../../small/src/threads/thread.ts';
import { ThreadPool } from '../../small/src/threads/thread-pool.ts';
import { sha256OfFile } from './file-hash.ts';
import type { Inference } from './inference.ts';
import type { InferenceData, InferenceReady } from './inference-worker.ts';
import { type MemoryPlan, planMemory, refuseTooLarge } from './memory-plan.ts';
import { directoryFingerprint, type ModelDirectory, readModelDirectory, stampOf } from './model-directory.ts';
import { nativeInference } from './native-inference.ts';
import { OnnxEngine } from './onnx-threads.ts';
import { openTokenizer } from './open-tokenizer.ts';
import { selfTest } from './self-test.ts';
import { bytesForModels, type ThreadPlan, workersBeside, workersFor } from './thread-plan.ts';
import type { TokenizedText } from './tokenized-text.ts';
import type { TokenizerCall, TokenizerData, TokenizerReply } from './tokenizer-worker.ts';
import { memoryForModels, type WorkingMemory } from './working-memory.ts';

/**
 * Opens engines that compute with the native encoder or ONNX Runtime, from directories in the layout of a Hugging Face
 * export.
 */

interface OnnxEngineOptions {
  /** Contains a graph, `tokenizer.json` and the files that describe how to use the model. */
  readonly directory: string;
  /** The model's name in requests and responses. */
  readonly name: string;
  /** Batches computed at a time, each by its own session. Null: as many as the machine has room for. */
  readonly workers: number | null;
  /** Number of cores that one batch uses. */
  readonly threadsPerWorker: number;
  /** Whether the native encoder may compute texts. Default: true. */
  readonly native?: boolean | undefined;
  /** Settings that take precedence over the directory's files. */
  readonly overrides?: ModelOverrides;
  /** What the model must do. Default: what its files say. */
  readonly task?: 'rerank' | undefined;
  readonly facts?: Facts;
  /** Memory shared with other models. Default: memory for this model alone. */
  readonly memory?: WorkingMemory | undefined;
  /** Logs problems with the engine's health. */
  readonly warn?: (what: string) => void;
}

/**
 * Opens an engine. Resolves when the first worker can compute texts; the others load in the background. Throws when a
 * file is missing or malformed, when the tokenizer or a graph input is of an unknown kind, or when a setting that
 * affects vectors is undetermined. The message then names what to set.
 */
export async function openOnnxEngine(options: OnnxEngineOptions): Promise<Engine<TokenizedText>> {
  const { directory, name, threadsPerWorker, overrides, warn = () => {} } = options;
  const model = readModelDirectory(directory, overrides);
  const stamp = stampOf(model);
  const { maxTokens, lowercase, modelFile, matryoshkaDimensions, isCrossEncoder } = model;
  if (options.task && !isCrossEncoder) throw new Error(notACrossEncoder(directory));
  const machine = { cores: usableCores(), memoryBytes: usableMemoryBytes() };
  const plan = planMemory(model);
  const memoryBytes = bytesForModels(machine);
  // Before the weights are read.
  refuse(model, plan, { workers: 1, memoryBytes });
  const fitting = model.hasGraph ? workersFor : workersBeside;
  const workers = options.workers ?? fitting(model.graphBytes, threadsPerWorker, machine, plan.textBytes);
  const memory = options.memory ?? memoryForModels();
  const native = nativeInference(model, { workers, threadsPerWorker }, options.native !== false);
  const isNative = typeof native !== 'string';
  // All workers of the native encoder share them.
  const copies = isNative ? 1 : workers;
  const giveBack = memory.hold(copies * model.graphBytes);
  // Threads that start later read files again: the tokenizer's only tokenizer.json, and those of ONNX Runtime all.
  const filesAtFirst = rememberDigest(directory, () => directoryFingerprint(model, overrides));
  const tokenizerAtFirst = rememberDigest(directory, () => sha256OfFile(join(directory, 'tokenizer.json')));
  const ofTokenizer: TokenizerData = { directory, maxTokens, lowercase, hasPairs: isCrossEncoder };
  const tokenizerThread = new Thread<TokenizerCall, TokenizerReply>({
    entry: programBeside(import.meta.url, 'tokenizer-worker'),
    name: 'tokenizer',
    data: ofTokenizer,
    mayStart: tokenizerAtFirst.refuse,
  });
  const inference = isNative
    ? native
    : graphInference(model, { workers, threadsPerWorker }, plan, filesAtFirst.refuse);
  try {
    refuse(model, plan, { workers: copies, memoryBytes });
    const [fingerprint, ready, tokenizer] = await Promise.all([
      filesAtFirst.read(),
      inference.start(),
      openTokenizer(directory, ofTokenizer),
      tokenizerAtFirst.read(),
    ]);
    // What was loaded must be what the fingerprint is of.
    if (stampOf(model) !== stamp) throw hasChanged(directory);
    const { dimensions } = ready;
    const described = {
      name,
      dimensions,
      maxTokens,
      fingerprint,
      promptedTypes: promptedTypes(model.prompts),
      pooling: ready.pooling ?? undefined,
      facts: options.facts,
      dtype: model.dtype,
      ...(matryoshkaDimensions && { matryoshkaDimensions }),
      ...(isCrossEncoder && ({ task: 'rerank' } as const)),
    };
    const engine = new OnnxEngine({
      model: described,
      plan: { workers, threadsPerWorker },
      runtime: isNative ? `native encoder, ${nativeKernel}` : `ONNX Runtime, because ${native}`,
      machine,
      memory,
      memoryPlan: plan,
      padsTexts: !isNative && !model.isQuantizing,
      onClose: giveBack,
      prompts: model.prompts,
      tokenizer,
      tokenizerThread,
      inference,
    });
    await engine.measure();
    await selfTest(engine, modelFile);
    for (const doubt of doubtsOf(model, tokenizer.appendsToken)) warn(`model ${name}: ${doubt}`);
    inference.startOthers((reason) => warn(`model ${name}: a worker cannot start: ${messageOf(reason)}`));
    return engine;
  } catch (error) {
    giveBack();
    await Promise.all([tokenizerThread.close(), inference.close()]);
    throw error;
  }
}

const hasChanged = (directory: string): Error =>
  new Error(`${directory}: the model's files have changed since the service started; restart it`);

/** Remembers the first result of `read`, a digest of files. `refuse` throws if it is another one by then. */
function rememberDigest(directory: string, read: () => Promise<string>) {
  let first: string | undefined;
  return {
    read: async () => (first ??= await read()),
    refuse: async () => {
      if (first === undefined || (await read().catch(ifAbsent(''))) === first) return;
      throw hasChanged(directory);
    },
  };
}

/** Returns inference by ONNX Runtime, with a session for each thread. */
function graphInference(
  model: ModelDirectory,
  { workers, threadsPerWorker }: ThreadPlan,
  { keepsMemory }: MemoryPlan,
  mayStart: () => Promise<void>,
): Inference {
  const { modelFile, output, pooling, hiddenSize, isCrossEncoder, dimensions, paddingId, isQuantizing } =
    model;
  const outputChoice = { output, pooling, hiddenSize, isCrossEncoder };
  const stated = { modelFile, outputChoice, dimensions, paddingId, isQuantizing };
  return new ThreadPool<TokenBatch, Float32Array, InferenceReady>(workers, {
    entry: programBeside(import.meta.url, 'inference-worker'),
    name: 'inference',
    data: { ...stated, threads: threadsPerWorker, keepsMemory } satisfies InferenceData,
    mayStart,
  });
}

const notACrossEncoder = (directory: string): string =>
  `${directory}: config.json names no model "…ForSequenceClassification", so it can't rerank; set RERANK_MODEL ` +
  'to a cross-encoder';

/**
 * Throws an error that names the directory when the longest text does not fit into memory, or when unit vectors would
 * rank texts in another order than the model was trained for.
 */
function refuse(
  model: ModelDirectory,
  plan: MemoryPlan,
  room: { workers: number; memoryBytes: number },
): void {
  if (model.isForDotProduct) {
    throw new Error(
      `${model.directory}: config_sentence_transformers.json has "similarity_fn_name": "dot", but each vector ` +
        'is scaled to length 1, so texts would have another order than the model was trained for; use a model ' +
        'that was trained for cosines, such as multi-qa-mpnet-base-cos-v1, or accept the other order: set ' +
        'EMBEDDING_MODEL (model in a file) to a copy of this directory with "cosine" there',
    );
  }
  try {
    refuseTooLarge(model, plan, room);
  } catch (cause) {
    throw new Error(`${model.directory}: ${messageOf(cause)}`, { cause });
  }
}

/** What the log says at the start about a model whose vectors are right, but perhaps not as good as they could be. */

/** Families whose models for embeddings were trained with prompts. */
const promptedFamilies = /^(gemma3_text|mistral|nomic_bert|qwen3)$/;
/** Models with such a name need prompts too. Their family, such as BERT, has many models without any. */
const promptedNames =
  /(^|[/_-])(e5-(small|base|large)|nomic-embed-text|mxbai-embed-large|bge-(small|base|large)-(en|zh)|snowflake-arctic-embed)/i;

function doubtsOf(model: ModelDirectory, appendsToken: boolean): string[] {
  const { prompts, pooling, directory, origin = directory, family, isCrossEncoder } = model;
  const doubts: string[] = [];
  const own = promptedTypes(prompts);
  const needsPrompts = promptedFamilies.test(family) || promptedNames.test(origin);
  if (!prompts.query && !prompts.document && own.length > 0) {
    doubts.push(
      `the prompts of the model are used only by requests that name them as input_type: ${own.join(', ')}`,
    );
  } else if (own.length === 0 && needsPrompts && !isCrossEncoder) {
    doubts.push(
      'models of this family need prompts, which no file states; copy config_sentence_transformers.json from the ' +
        'original if that has it, or see the model card and set EMBEDDING_QUERY_PROMPT and ' +
        'EMBEDDING_DOCUMENT_PROMPT (query_prompt and document_prompt in a file)',
    );
  }
  if (pooling.mode === 'last' && !appendsToken) {
    doubts.push(
      'the vector is that of the last token, but tokenizer.json appends no token to a text; models are usually ' +
        'trained with an end token there',
    );
  }
  return doubts;
}
