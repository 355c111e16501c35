/**
 * The thread that tokenizes long texts, and lists tokens for clients. Its own small heap is collected for what the
 * library holds, which would take the main thread up to 35 ms for a text of 65,536 units.
 */
import { workerData } from 'node:worker_threads';
import type { Tokenization } from '../../engine/src/index.ts';
import { type CallResult, serveCalls } from '../../small/src/threads/serve-calls.ts';
import { openTokenizer } from './open-tokenizer.ts';
import type { TokenizedText } from './tokenized-text.ts';
import type { Token, TokenizerOptions } from './tokenizer.ts';

export interface TokenizerData extends TokenizerOptions {
  readonly directory: string;
}

/** Texts to prepare, or what `Engine.tokenize` needs. */
export type TokenizerCall = readonly string[] | ({ readonly texts: readonly string[] } & Tokenization);
export type TokenizerReply = TokenizedText[] | Uint8Array;

const { directory, ...options }: TokenizerData = workerData;
const tokenizer = await openTokenizer(directory, options);

serveCalls(async (call: TokenizerCall): Promise<CallResult<TokenizerReply>> => {
  if (!('texts' in call)) return { value: await tokenizer.encode(call), transfer: [] };
  const tokens = await tokenizer.tokens(call.texts, call.addSpecialTokens);
  const json = JSON.stringify(tokens.map((some) => inForm(some, call)));
  const value = new TextEncoder().encode(json.slice(1, -1));
  return { value, transfer: [value.buffer] };
});

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
