import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelOverrides } from '../../engine/src/index.ts';
import {
  elementTypes,
  layoutKey,
  openWeights,
  type StoredWeights,
  weightPlaces,
  weightsFile,
} from '../../onnx-int8/src/index.ts';
import { isThere } from '../../small/src/files.ts';
import { isPositiveInteger, type JsonObject, positiveInteger } from '../../small/src/json.ts';
import { sha256OfFile } from './file-hash.ts';
import { graphFactsOf } from './graph-reader.ts';
import { isConvertedDirectory } from './int8/conversion-record.ts';
import { JsonFiles, refusePointer } from './json-file.ts';
import {
  chooseGraph,
  convertedDtype,
  dtypeOf,
  graphFiles,
  isReadable,
  isWeights,
  weightFilesOf,
} from './model-file.ts';
import { type Pooling, readPooling } from './modules.ts';
import { noPrompts, type Prompts, readPrompts } from './prompts.ts';

/** Reads the description of a model from a directory in the layout of a Hugging Face export. */

export interface ModelDirectory {
  readonly directory: string;
  /** A graph, or weights in the format of safetensors. */
  readonly modelFile: string;
  readonly hasGraph: boolean;
  /** What `config.json` states. */
  readonly config: JsonObject;
  /** The size of the graph and its weights. */
  readonly graphBytes: number;
  /** The type of the weights, as a setting names it. */
  readonly dtype: string;
  /** Whether the graph quantizes dynamically, with a scale from the largest value of the whole batch. */
  readonly isQuantizing: boolean;
  /** The number of attention heads. Undefined if neither a file nor the graph states it. */
  readonly heads: number | undefined;
  /** The size of a token's vectors inside the model. */
  readonly hiddenSize: number | undefined;
  /** The dimensions that the files state, for a graph that states none. */
  readonly dimensions: number | undefined;
  readonly maxTokens: number;
  /** The name of the graph's output with the vectors, if it is configured. */
  readonly output: string | undefined;
  readonly pooling: Pooling;
  /** Whether the model scores pairs of a query and a document, instead of embedding texts. */
  readonly isCrossEncoder: boolean;
  readonly prompts: Prompts;
  /** Whether similarities were trained as dot products of vectors whose length is not 1. */
  readonly isForDotProduct: boolean;
  /** The model that the files say they were made from, if they do. */
  readonly origin: string | undefined;
  /** The family of models, as `config.json` names it. */
  readonly family: string;
  /** The sizes that a vector can be shortened to without losing its meaning. Undefined if none are stated. */
  readonly matryoshkaDimensions: readonly number[] | undefined;
  /** Whether texts are lowercased before anything else. */
  readonly lowercase: boolean;
  /** The id that fills a row after a text's last token. The attention mask hides it. */
  readonly paddingId: number;
  /** All files that affect vectors. */
  readonly files: readonly string[];
}

// Increment when this code computes a different vector from the same files and text.
const computationVersion = 4;

/**
 * Reads a few small files, synchronously because threads wait for them. Throws when a file is malformed, when the graph
 * is missing, or when a setting that affects vectors is undetermined. The message then names the variable to set.
 */
export function readModelDirectory(directory: string, overrides: ModelOverrides = {}): ModelDirectory {
  const paths = graphFiles(directory);
  refuseOther(directory, paths);
  const modelFile = chooseGraph(paths, {
    dtype: overrides.dtype,
    setting: 'EMBEDDING_DTYPE (dtype in a file)',
    owner: directory,
  });
  const files = new JsonFiles(directory);
  const config = files.object('config.json');
  const maxTokens = readMaxTokens(files, config, overrides.maxTokens);
  const pooling = readPooling(files, overrides.pooling, !isWeights(modelFile));
  const isCrossEncoder =
    isClassifier(config) && !pooling.isStated && !pooling.isAsked && overrides.output === undefined;
  if (isCrossEncoder && (overrides.queryPrompt || overrides.documentPrompt))
    throw new Error(`${directory}: prompts apply only to models for embeddings; remove them`);
  const sentences = files.object('config_sentence_transformers.json');
  const prompts = isCrossEncoder ? noPrompts : readPrompts(sentences, overrides, pooling.includesPrompt);
  if (!pooling.includesPrompt && (prompts.query || prompts.document)) {
    throw new Error(
      `${directory}: "include_prompt": false is not supported; set EMBEDDING_QUERY_PROMPT and ` +
        'EMBEDDING_DOCUMENT_PROMPT (query_prompt and document_prompt in a file) to nothing',
    );
  }
  const { graph, graphBytes, operators, heads } = isWeights(modelFile)
    ? factsOfWeights(directory, modelFile, pooling)
    : factsOfGraph(directory, modelFile, paths);
  return {
    directory,
    modelFile: join(directory, modelFile),
    hasGraph: !isWeights(modelFile),
    config,
    dtype: isConvertedDirectory(directory) ? convertedDtype : dtypeOf(modelFile),
    graphBytes,
    isQuantizing: [...operators].some((name) => name.startsWith('DynamicQuantize')),
    heads: positiveInteger(config, 'num_attention_heads', 'n_head', 'n_heads', 'num_heads') ?? heads,
    hiddenSize: positiveInteger(config, 'hidden_size', 'dim', 'n_embd', 'd_model'),
    dimensions: pooling.dimensions ?? positiveInteger(config, 'hidden_size', 'dim', 'n_embd', 'd_model'),
    maxTokens,
    output: overrides.output,
    pooling,
    isCrossEncoder,
    prompts,
    isForDotProduct: sentences.similarity_fn_name === 'dot' && !pooling.isScaled,
    origin: typeof config._name_or_path === 'string' ? config._name_or_path : undefined,
    family: String(config.model_type),
    matryoshkaDimensions: readMatryoshka(config),
    lowercase: files.object('sentence_bert_config.json').do_lower_case === true,
    paddingId: positiveInteger(config, 'pad_token_id') ?? 0,
    files: [...new Set([...graph, 'tokenizer.json', ...files.found])],
  };
}

function factsOfGraph(directory: string, modelFile: string, paths: readonly string[]) {
  const { weightFiles, ...facts } = graphFactsOf(join(directory, modelFile));
  const named = weightPlaces(modelFile, weightFiles);
  const graph = [...new Set([modelFile, ...weightFilesOf(modelFile, paths), ...named])];
  const graphBytes = graph.reduce((bytes, file) => bytes + sizeOfWeights(join(directory, file)), 0);
  return { graph, graphBytes, ...facts };
}

function factsOfWeights(directory: string, modelFile: string, { dense = [] }: Pooling) {
  const { files, tensors, metadata } = weightsIn(join(directory, modelFile));
  // A converted encoder has the weights of all modules.
  const others =
    typeof metadata[layoutKey] === 'string' ? [] : dense.map(({ folder }) => `${folder}/${weightsFile}`);
  const all = [tensors, ...others.map((file) => weightsIn(join(directory, file)).tensors)];
  // Numbers of 16 bits become float32.
  const bytes = all.flatMap((some) =>
    [...some.values()].map(({ shape, type }) =>
      shape.reduce((a, b) => a * b, type === elementTypes.int8 ? 1 : 4),
    ),
  );
  return {
    graph: [...files, ...others],
    graphBytes: bytes.reduce((a, b) => a + b, 0),
    operators: new Set<string>(),
    heads: undefined,
  };
}

function weightsIn(file: string): StoredWeights {
  if (!isReadable(file)) throw new Error(`${file}: missing`);
  try {
    return openWeights(file);
  } catch (error) {
    refusePointer(file);
    throw error;
  }
}

/** Returns when the files were written, and which they are. */
export const stampOf = ({ directory, files }: ModelDirectory): string =>
  files
    .map((file) => statSync(join(directory, file), { bigint: true }))
    .map(({ ino, size, mtimeNs }) => `${ino} ${size} ${mtimeNs}`)
    .join();

/** Returns a SHA-256 of everything that affects vectors. */
export async function directoryFingerprint(
  { directory, files }: ModelDirectory,
  overrides: ModelOverrides = {},
): Promise<string> {
  const sums = await Promise.all(
    files.map(async (file) => `${file} ${await sha256OfFile(join(directory, file))}`),
  );
  const { output, pooling, maxTokens, queryPrompt, documentPrompt } = overrides;
  return createHash('sha256')
    .update(JSON.stringify([computationVersion, sums]))
    .update(JSON.stringify([pooling, maxTokens, queryPrompt, documentPrompt, ...(output ? [output] : [])]))
    .digest('hex');
}

/** Reports whether `config.json` describes a model that scores texts, as cross-encoders do. */
export const isClassifier = ({ architectures }: JsonObject): boolean =>
  Array.isArray(architectures) && /ForSequenceClassification$/.test(String(architectures[0]));

/** Throws when the directory is not that of a model, because all other messages would lead nowhere. */
function refuseOther(directory: string, graphs: readonly string[]): void {
  if (isThere(join(directory, 'tokenizer.json'))) return;
  const hasGraph = graphs.some((path) => path.endsWith('.onnx'));
  throw new Error(
    hasGraph
      ? `${directory}: no tokenizer.json, without which no text can be read; "optimum-cli export onnx" writes it ` +
          'beside the graph, as does AutoTokenizer.from_pretrained(…).save_pretrained(…)'
      : `${directory} has neither tokenizer.json nor onnx/model.onnx, so it is not a model's directory`,
  );
}

function sizeOfWeights(file: string): number {
  if (isReadable(file)) return statSync(file).size;
  throw new Error(`${file}: missing, although the graph names it as a file of its weights`);
}

function readMatryoshka(config: JsonObject): readonly number[] | undefined {
  const sizes = config.matryoshka_dimensions;
  if (!Array.isArray(sizes) || sizes.length === 0 || !sizes.every(isPositiveInteger)) return undefined;
  return [...sizes].sort((a, b) => a - b);
}

/** Reads the maximum number of tokens of one text. */

// Their positions start after the padding's id, so their table has that many more rows than a text can have tokens.
const offsetModelTypes = new Set([
  'camembert',
  'data2vec-text',
  'ibert',
  'longformer',
  'mpnet',
  'roberta',
  'roberta-prelayernorm',
  'xlm-roberta',
  'xlm-roberta-xl',
  'xmod',
]);
const defaultPaddingId = 1;
// Tokenizers without a limit state 10³⁰.
const maxSaneLimit = 10_000_000;

/**
 * Returns the smallest limit that the files state (`max_seq_length`, `model_max_length` and the model's positions), or
 * `asked` if set. Throws when no limit is stated, or when `asked` exceeds the positions.
 */
function readMaxTokens(files: JsonFiles, config: JsonObject, asked: number | undefined): number {
  const positions = readPositions(files.directory, config);
  // Read whether they are needed or not, because the files that are read identify the model.
  const sentences = files.object('sentence_bert_config.json');
  const tokenizer = files.object('tokenizer_config.json');
  if (asked !== undefined) {
    if (!isPositiveInteger(asked) || asked > (positions ?? asked)) {
      throw new Error(
        `EMBEDDING_MAX_TOKENS (max_tokens in a file) must be from 1 to ${positions}, the positions that ` +
          `${files.directory} has`,
      );
    }
    return asked;
  }
  const stated = [
    positions,
    positiveInteger(sentences, 'max_seq_length'),
    positiveInteger(tokenizer, 'model_max_length', 'max_len'),
  ]
    .filter((limit) => limit !== undefined)
    .filter((limit) => limit <= maxSaneLimit);
  if (stated.length === 0) {
    throw new Error(
      `${files.directory}: no file says how many tokens the model reads; set EMBEDDING_MAX_TOKENS (max_tokens ` +
        'in a file)',
    );
  }
  return Math.min(...stated);
}

function readPositions(directory: string, config: JsonObject): number | undefined {
  const rows = positiveInteger(config, 'max_position_embeddings', 'n_positions', 'max_seq_len');
  if (rows === undefined || !offsetModelTypes.has(String(config.model_type))) return rows;
  const paddingId = config.pad_token_id ?? defaultPaddingId;
  const positions = rows - Number(paddingId) - 1;
  if (isPositiveInteger(positions)) return positions;
  throw new Error(
    `${directory}: "pad_token_id" of config.json is ${JSON.stringify(paddingId)}, which leaves no positions of ${rows}`,
  );
}
