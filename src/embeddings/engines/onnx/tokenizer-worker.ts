/** The thread that turns texts into token ids. */
import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { answerCalls } from './answer-calls.ts';
import { createTokenizer } from './tokenizer.ts';

export interface TokenizerData {
  readonly tokenizerFile: string;
  readonly maxTokens: number;
}

/** Of all texts, one after the other: `ids` holds `tokenCounts[0]` tokens of the first text, and so on. */
export interface TokenizedTexts {
  readonly ids: Int32Array<ArrayBuffer>;
  readonly tokenCounts: readonly number[];
  readonly fullTokenCounts: readonly number[];
}

const { tokenizerFile, maxTokens }: TokenizerData = workerData;
const tokenizer = createTokenizer(JSON.parse(readFileSync(tokenizerFile, 'utf8')));

answerCalls(async (texts: readonly string[]) => {
  const tokens = texts.map((text) => tokenizer.encode(text, maxTokens));
  const value: TokenizedTexts = {
    ids: Int32Array.from(tokens.flatMap(({ ids }) => ids)),
    tokenCounts: tokens.map(({ ids }) => ids.length),
    fullTokenCounts: tokens.map(({ fullTokenCount }) => fullTokenCount),
  };
  return { value, transfer: [value.ids.buffer] };
});
