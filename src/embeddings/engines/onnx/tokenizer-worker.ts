/** The thread that turns texts into token ids. */
import { workerData } from 'node:worker_threads';
import { answerCalls } from './answer-calls.ts';
import { JsonFiles } from './json-file.ts';
import { createTokenizer } from './tokenizer.ts';

export interface TokenizerData {
  readonly directory: string;
  readonly maxTokens: number;
  /** Whether a text is put in small letters first. */
  readonly lowercase: boolean;
}

/** Of all texts, one after the other: `ids` holds `tokenCounts[0]` tokens of the first text, and so on. */
export interface TokenizedTexts {
  readonly ids: Int32Array<ArrayBuffer>;
  readonly tokenCounts: readonly number[];
  readonly fullTokenCounts: readonly number[];
}

const { directory, maxTokens, lowercase }: TokenizerData = workerData;
const files = new JsonFiles(directory);
const json = files.object('tokenizer.json');
if (files.found.length === 0) throw new Error(`${directory}: no tokenizer.json`);
const tokenizer = await createTokenizer(json, files.object('tokenizer_config.json'));

answerCalls(async (texts: readonly string[]) => {
  const tokens = texts.map((text) => tokenizer.encode(lowercase ? text.toLowerCase() : text, maxTokens));
  const value: TokenizedTexts = {
    ids: Int32Array.from(tokens.flatMap(({ ids }) => ids)),
    tokenCounts: tokens.map(({ ids }) => ids.length),
    fullTokenCounts: tokens.map(({ fullTokenCount }) => fullTokenCount),
  };
  return { value, transfer: [value.ids.buffer] };
});
