import { cutLongest, joinPair, type PreparedText, splitPair } from '../../engine/src/index.ts';

/**
 * Only the upstream can count its tokens, so they are estimated as four bytes of UTF-8 each. That fits English with
 * every common tokenizer. Chinese, Japanese and Korean have one token per character of three bytes, or a little less.
 */
const bytesPerToken = 4;

export const tokensOfLength = (text: string): number =>
  Math.max(1, Math.ceil(Buffer.byteLength(text) / bytesPerToken));

/** In the worst case, normalization turns one byte into 11 tokens. */
const maxTokensPerByte = 16;
/**
 * Upper bound for the tokens that a server adds to a text as long as that is not known: special tokens, an
 * instruction.
 */
const maxAddedTokens = 1_024;

/** Returns an upper bound of the texts' tokens with any tokenizer. */
export const mostTokens = (texts: readonly string[], addedTokens = maxAddedTokens): number =>
  texts.reduce((sum, text) => sum + maxTokensPerByte * Buffer.byteLength(text) + addedTokens, 0);

/** A text as sent to the upstream. */
export class UpstreamText implements PreparedText {
  readonly text: string;
  readonly fullTokenCount: number;
  readonly mayCut: boolean;
  /** An estimate until the upstream has reported the tokens of its batch. */
  tokenCount: number;
  isCut: boolean;

  constructor(text: string, maxTokens: number, mayCut: boolean, isPair = false) {
    this.fullTokenCount = tokensOfLength(text);
    this.isCut = this.fullTokenCount > maxTokens;
    this.text = this.isCut ? cutTo(maxTokens, text, isPair) : text;
    this.tokenCount = Math.min(this.fullTokenCount, maxTokens);
    this.mayCut = mayCut;
  }
}

/** Returns the start of the text with about `tokens` tokens by the estimate, without a partial character at its end. */
function beginning(text: string, tokens: number): string {
  const bytes = Buffer.from(text).subarray(0, tokens * bytesPerToken);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}

/** Returns the start of a text, or a pair of the starts of its query and document, with about `tokens` tokens. */
export function cutTo(tokens: number, text: string, isPair: boolean): string {
  if (!isPair) return beginning(text, tokens);
  const [query, document] = splitPair(text);
  const counts = [tokensOfLength(query), tokensOfLength(document)] as const;
  const [ofQuery, ofDocument] = cutLongest(counts, tokens, counts[0] > counts[1]);
  return joinPair(beginning(query, ofQuery), beginning(document, ofDocument));
}

/** Divides the tokens that an upstream has counted for several texts among them, in proportion to their estimates. */
export function shareTokens(texts: readonly UpstreamText[], tokens: number): void {
  const estimate = texts.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  let estimated = 0;
  let shared = 0;
  for (const text of texts) {
    estimated += text.tokenCount;
    // Rounds the sums, so that the shares add up to `tokens`.
    const until = estimate === 0 ? tokens : Math.round((tokens * estimated) / estimate);
    text.tokenCount = until - shared;
    shared = until;
  }
}
