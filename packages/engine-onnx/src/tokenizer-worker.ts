/** The thread that calls the tokenizer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { Tokenization } from '../../engine/src/index.ts';
import { messageOf } from '../../small/src/errors.ts';
import { type Result, serveCalls } from '../../small/src/threads/serve-calls.ts';
import { JsonFiles } from './json-file.ts';
import { type Token, Tokenizer, type TokenizerOptions } from './tokenizer.ts';
import { appendsToken, refuseContradictions } from './tokenizer-config.ts';

export interface TokenizerData extends TokenizerOptions {
  readonly directory: string;
}

/** The tokens of all texts in one array: the first `tokenCounts[0]` of `ids` belong to the first text, and so on. */
export interface TokenizedTexts {
  readonly ids: Int32Array<ArrayBuffer>;
  /** The type of each token of `ids`, if the texts are pairs. */
  readonly typeIds?: Int32Array<ArrayBuffer> | undefined;
  readonly tokenCounts: readonly number[];
  /** As in `PreparedText`. */
  readonly fullTokenCounts: readonly number[];
}

/** Texts to prepare, or what `Engine.tokenize` needs. */
export type TokenizerCall = readonly string[] | ({ texts: readonly string[] } & Tokenization);
export type TokenizerReply = TokenizedTexts | Uint8Array;

/** The thread's message when it is ready. */
export interface TokenizerReady {
  /** Whether each text ends with a special token. */
  readonly appendsToken: boolean;
}

const { directory, ...options }: TokenizerData = workerData;
const file = join(directory, 'tokenizer.json');
const files = new JsonFiles(directory);
const json = files.object('tokenizer.json');
if (files.found.length === 0) throw new Error(`${directory}: no tokenizer.json`);
const tokenizer = await open();

const answer = async (call: TokenizerCall): Promise<Result<TokenizerReply>> => {
  if ('texts' in call) {
    const tokens = await tokenizer.tokens(call.texts, call.addSpecialTokens);
    const json = JSON.stringify(tokens.map((some) => inForm(some, call)));
    const value = new TextEncoder().encode(json.slice(1, -1));
    return { value, transfer: [value.buffer] };
  }
  const tokens = await tokenizer.encode(call);
  const value: TokenizedTexts = {
    ids: Int32Array.from(tokens.flatMap(({ ids }) => ids)),
    ...(options.hasPairs && { typeIds: Int32Array.from(tokens.flatMap(({ typeIds = [] }) => typeIds)) }),
    tokenCounts: tokens.map(({ ids }) => ids.length),
    fullTokenCounts: tokens.map(({ fullTokenCount }) => fullTokenCount),
  };
  return { value, transfer: [value.ids.buffer] };
};
serveCalls(answer, { ready: { appendsToken: appendsToken(json) } satisfies TokenizerReady });

function inForm(tokens: readonly Token[], { form, addSpecialTokens }: Tokenization): unknown {
  if (form === 'list') return tokens;
  const ids = tokens.map(({ id }) => id);
  const count = tokens.length;
  if (form !== 'columns') {
    const pieces = form === 'vllm-pieces' ? ids.map((id) => tokenizer.pieceOf(id)) : null;
    return { count, max_model_len: options.maxTokens, tokens: ids, token_strs: pieces };
  }
  return {
    ids,
    pieces: tokens.map(({ text }) => text),
    offsets: tokens.map(({ start, stop }) => (start === null ? null : [start, stop])),
    count,
    // A text is always computed with its special tokens.
    fits: count + (addSpecialTokens ? 0 : tokenizer.specialTokens) <= options.maxTokens,
  };
}

async function open(): Promise<Tokenizer> {
  try {
    refuseContradictions(files.object('tokenizer_config.json'), json);
    return await Tokenizer.open(readFileSync(file, 'utf8'), json, options);
  } catch (cause) {
    throw new Error(`${file}: ${messageOf(cause)}`, { cause });
  }
}
