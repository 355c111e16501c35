/** Reads what a model directory in the layout of a Hugging Face export says about its model. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256OfFile } from '../file-hash.ts';
import { readGraph } from './graph-reader.ts';
import { isPositiveInteger, JsonFiles, type JsonObject, positiveInteger } from './json-file.ts';
import { readMaxTokens } from './limits.ts';
import { chooseGraph, graphFiles, placesOf, weightsOf } from './model-file.ts';
import { readPooling } from './modules.ts';
import type { ModelOverrides } from './overrides.ts';
import type { PoolingMode } from './pooling.ts';
import { type Prompts, readPrompts } from './prompts.ts';

export interface ModelDirectory {
  readonly directory: string;
  readonly modelFile: string;
  /** Of the graph and its weights. */
  readonly graphBytes: number;
  /** Whether the graph scales what it computes by the largest value of the whole batch. */
  readonly isQuantizing: boolean;
  /** Of its attention; undefined where neither a file nor the graph says it. */
  readonly heads: number | undefined;
  /** Of a token inside of the model. */
  readonly hiddenSize: number | undefined;
  /** As the files state them; what the graph itself states goes first. */
  readonly dimensions: number | undefined;
  readonly maxTokens: number;
  readonly pooling: Pooling;
  readonly prompts: Prompts;
  /** Sizes that a vector may be cut to without losing its sense; undefined where none are stated. */
  readonly matryoshkaDimensions: readonly number[] | undefined;
  /** Whether a text is put in small letters before anything else. */
  readonly lowercase: boolean;
  /** What fills a row behind a text's last token; the attention mask hides it. */
  readonly paddingId: number;
  /** All files that decide a vector. */
  readonly files: readonly string[];
}

export interface Pooling {
  readonly mode: PoolingMode | undefined;
  /** Whether it was asked for, rather than read: then a graph's own pooling is passed over. */
  readonly asked: boolean;
  /** Why there is no mode. */
  readonly problem: string;
}

// Raise it when this code makes another vector of the same files and text.
const computationVersion = 3;

/**
 * Reads a few small files, at once: threads wait for it. Throws when one is malformed, when the graph is missing, or when
 * something that decides the vector is left open; the message then names the variable that settles it.
 */
export function readModelDirectory(directory: string, overrides: ModelOverrides = {}): ModelDirectory {
  const files = new JsonFiles(directory);
  const config = files.object('config.json');
  const maxTokens = readMaxTokens(files, config, overrides.maxTokens);
  const pooling = readPooling(files);
  const prompts = readPrompts(files, overrides);
  if (!pooling.includesPrompt && (prompts.query || prompts.document)) {
    throw new Error(
      `${directory}: "include_prompt": false is not done; set EMBEDDING_QUERY_PROMPT and EMBEDDING_DOCUMENT_PROMPT to nothing`,
    );
  }
  const paths = graphFiles(directory);
  const modelFile = chooseGraph(paths, {
    dtype: overrides.dtype,
    setting: 'EMBEDDING_DTYPE',
    owner: directory,
  });
  const { weightFiles, operators, heads } = readGraph(join(directory, modelFile));
  const named = placesOf(modelFile, weightFiles);
  const graph = [...new Set([modelFile, ...weightsOf(modelFile, paths), ...named])];
  return {
    directory,
    modelFile: join(directory, modelFile),
    graphBytes: graph.reduce((bytes, file) => bytes + sizeOfWeights(join(directory, file)), 0),
    isQuantizing: [...operators].some((name) => name.startsWith('DynamicQuantize')),
    heads: positiveInteger(config, 'num_attention_heads', 'n_head', 'n_heads', 'num_heads') ?? heads,
    hiddenSize: positiveInteger(config, 'hidden_size', 'dim', 'n_embd', 'd_model'),
    dimensions: pooling.dimensions ?? positiveInteger(config, 'hidden_size', 'dim', 'n_embd', 'd_model'),
    maxTokens,
    pooling: {
      mode: overrides.pooling ?? pooling.mode,
      asked: overrides.pooling !== undefined,
      problem: pooling.problem,
    },
    prompts,
    matryoshkaDimensions: readMatryoshka(config),
    lowercase: files.object('sentence_bert_config.json').do_lower_case === true,
    paddingId: positiveInteger(config, 'pad_token_id') ?? 0,
    files: [...new Set([...graph, 'tokenizer.json', ...files.found])],
  };
}

/** A SHA-256 over all that decides which vector a text gets. */
export async function fingerprintOf(
  { directory, files }: ModelDirectory,
  overrides: ModelOverrides = {},
): Promise<string> {
  const sums = files.map(async (file) => `${file} ${await sha256OfFile(join(directory, file))}`);
  const { pooling, maxTokens, queryPrompt, documentPrompt } = overrides;
  return createHash('sha256')
    .update(JSON.stringify([computationVersion, await Promise.all(sums)]))
    .update(JSON.stringify([pooling, maxTokens, queryPrompt, documentPrompt]))
    .digest('hex');
}

function sizeOfWeights(file: string): number {
  try {
    return statSync(file).size;
  } catch (cause) {
    throw new Error(`${file}: missing, although the graph names it as a file of its weights`, { cause });
  }
}

function readMatryoshka(config: JsonObject): readonly number[] | undefined {
  const sizes = config.matryoshka_dimensions;
  if (!Array.isArray(sizes) || sizes.length === 0 || !sizes.every(isPositiveInteger)) return undefined;
  return [...sizes].sort((a, b) => a - b);
}
