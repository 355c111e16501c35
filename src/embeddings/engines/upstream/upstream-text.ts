import type { PreparedText } from '../engine.ts';

/**
 * Only the upstream knows its tokens, so they are estimated: four bytes of UTF-8 each. English has about that many a token
 * with every common tokenizer; Chinese, Japanese and Korean have a token a character or a little less, of three bytes.
 */
const bytesPerToken = 4;

export const estimatedTokens = (text: string): number =>
  Math.max(1, Math.ceil(Buffer.byteLength(text) / bytesPerToken));

/** Normalisation makes 11 tokens of a byte at worst. */
const maxTokensPerByte = 16;
/** Of what a server puts around texts: special tokens, an instruction. */
const maxAddedTokens = 1_024;

/** More tokens than these texts have with any tokenizer. */
export const mostTokens = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + maxTokensPerByte * Buffer.byteLength(text), maxAddedTokens);

/** A text as it is sent. */
export class UpstreamText implements PreparedText {
  readonly text: string;
  readonly fullTokenCount: number;
  readonly mayCut: boolean;
  /** An estimate, until the upstream has told what this text alone came to. */
  tokenCount: number;

  constructor(text: string, maxTokens: number, mayCut: boolean) {
    this.fullTokenCount = estimatedTokens(text);
    this.text = this.fullTokenCount > maxTokens ? beginning(text, maxTokens) : text;
    this.tokenCount = Math.min(this.fullTokenCount, maxTokens);
    this.mayCut = mayCut;
  }
}

/** As much of the text as the tokens make by the estimate, without half a character at its end. */
export function beginning(text: string, tokens: number): string {
  const bytes = Buffer.from(text).subarray(0, tokens * bytesPerToken);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
