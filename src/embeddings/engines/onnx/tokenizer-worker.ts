/** The thread that tokenizes texts. */
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { messageOf } from '../../../errors.ts';
import { serveCalls } from '../../../lib/threads/serve-calls.ts';
import { turnOfItsOwn } from '../../../lib/turns.ts';
import { JsonFiles } from './json-file.ts';
import type { Tokens } from './token-collector.ts';
import { createTokenizer, type Tokenizer } from './tokenizer.ts';
import { appendsToken, refuseContradictions } from './tokenizer-config.ts';

export interface TokenizerData {
  readonly directory: string;
  readonly maxTokens: number;
  /** Whether texts are lowercased first. */
  readonly lowercase: boolean;
}

export interface TokenizerRequest {
  readonly texts: readonly string[];
  /** For each text, the number of tokens after which tokenization stops. */
  readonly maxCounted: readonly number[];
}

/** The tokens of all texts in one array: the first `tokenCounts[0]` of `ids` belong to the first text, and so on. */
export interface TokenizedTexts {
  readonly ids: Int32Array<ArrayBuffer>;
  readonly tokenCounts: readonly number[];
  /** The number of tokens before the cut. Infinite if there are more than `maxCounted`. */
  readonly fullTokenCounts: readonly number[];
}

/** The thread's message when it is ready. */
export interface TokenizerReady {
  /** Whether each text ends with a special token. */
  readonly appendsToken: boolean;
}

// How long a call runs before the waiting calls get their turns, one after the other.
const turnMs = 8;

const { directory, maxTokens, lowercase }: TokenizerData = workerData;
const files = new JsonFiles(directory);
const json = files.object('tokenizer.json');
if (files.found.length === 0) throw new Error(`${directory}: no tokenizer.json`);
const tokenizer = open();

const tokenize = async ({ texts, maxCounted }: TokenizerRequest) => {
  const tokens: Tokens[] = [];
  let endMs = performance.now() + turnMs;
  for (const [i, text] of texts.entries()) {
    const limits = { maxTokens, maxCounted: maxCounted[i]! };
    const encoding = tokenizer.encode(lowercase ? text.toLowerCase() : text, limits);
    let step = encoding.next();
    for (; !step.done; step = encoding.next()) {
      if (performance.now() >= endMs) endMs = await nextTurn();
    }
    tokens.push(step.value);
    if (performance.now() >= endMs) endMs = await nextTurn();
  }
  const value: TokenizedTexts = {
    ids: Int32Array.from(tokens.flatMap(({ ids }) => ids)),
    tokenCounts: tokens.map(({ ids }) => ids.length),
    fullTokenCounts: tokens.map(({ fullTokenCount }) => fullTokenCount),
  };
  return { value, transfer: [value.ids.buffer] };
};
serveCalls(tokenize, { ready: { appendsToken: appendsToken(json) } satisfies TokenizerReady });

/** Lets waiting calls run, and returns when the next turn of this call ends. */
async function nextTurn(): Promise<number> {
  await turnOfItsOwn();
  return performance.now() + turnMs;
}

function open(): Tokenizer {
  try {
    refuseContradictions(files.object('tokenizer_config.json'), json);
    return createTokenizer(json, files.object('config.json').model_type);
  } catch (cause) {
    const reason = messageOf(cause).replace(/^tokenizer\.json: /, '');
    throw new Error(`${join(directory, 'tokenizer.json')}: ${reason}`, { cause });
  }
}
