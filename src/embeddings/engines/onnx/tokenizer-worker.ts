/** The thread that turns texts into token ids. */
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { turnOfItsOwn } from '../../../lib/one-a-turn.ts';
import { answerCalls } from '../../../lib/threads/answer-calls.ts';
import { JsonFiles } from './json-file.ts';
import { createTokenizer, type Tokenizer } from './tokenizer.ts';
import type { Tokens } from './tokens.ts';

export interface TokenizerData {
  readonly directory: string;
  readonly maxTokens: number;
  /** Whether a text is put in small letters first. */
  readonly lowercase: boolean;
}

export interface TokenizerRequest {
  readonly texts: readonly string[];
  /** Text by text: of one that has more tokens, the rest isn't looked at. */
  readonly maxCounted: readonly number[];
}

/** Of all texts, one after the other: `ids` holds `tokenCounts[0]` tokens of the first text, and so on. */
export interface TokenizedTexts {
  readonly ids: Int32Array<ArrayBuffer>;
  readonly tokenCounts: readonly number[];
  /** Infinite where they are more than `maxCounted`. */
  readonly fullTokenCounts: readonly number[];
}

// A call works this long before those that wait get their turns, one after the other.
const turnMs = 8;

const { directory, maxTokens, lowercase }: TokenizerData = workerData;
const files = new JsonFiles(directory);
const json = files.object('tokenizer.json');
if (files.found.length === 0) throw new Error(`${directory}: no tokenizer.json`);
const tokenizer = open();

answerCalls(async ({ texts, maxCounted }: TokenizerRequest) => {
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
});

/** Lets others go first. Returns when the turn that is then under way ends. */
async function nextTurn(): Promise<number> {
  await turnOfItsOwn();
  return performance.now() + turnMs;
}

function open(): Tokenizer {
  try {
    return createTokenizer(json, files.object('config.json').model_type);
  } catch (cause) {
    const reason = (cause as Error).message.replace(/^tokenizer\.json: /, '');
    throw new Error(`${join(directory, 'tokenizer.json')}: ${reason}`, { cause });
  }
}
