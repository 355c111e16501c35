import type { Attempt } from './endpoint.ts';
import { readResponse, type UpstreamResponse } from './response.ts';
import type { UpstreamSettings } from './settings.ts';
import { mostTokens } from './upstream-text.ts';

/** The requested encoding of vectors. */
export type Encoding = 'base64' | 'float';

interface Form {
  readonly encoding: Encoding;
  /** Undefined if not known yet. */
  readonly dimensions: number | undefined;
  /** The number of tokens that the upstream adds to each text, if known. */
  readonly addedTokens?: number | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Upper bound for one number: a float64 has at most 24 characters in JSON, and some servers indent each. */
const maxNumberBytes = 64;
const maxEnvelopeBytes = 65_536;
/** Limit for a response whose dimensions are not known yet. */
const maxDimensions = 65_536;

/** Returns the call that requests the texts' vectors. */
export function requestFor(
  texts: readonly string[],
  { model }: Pick<UpstreamSettings, 'model'>,
  { encoding, dimensions, addedTokens, timeoutMs, signal }: Form,
): Attempt<UpstreamResponse> {
  // Servers reject an empty text. A space has as little meaning.
  const input = texts.map((text) => text || ' ');
  return {
    body: JSON.stringify({ model, input, encoding_format: encoding }),
    maxAnswerBytes: texts.length * (dimensions ?? maxDimensions) * maxNumberBytes + maxEnvelopeBytes,
    timeoutMs,
    signal,
    read: (json) => {
      const maxPromptTokens = mostTokens(input, addedTokens);
      return readResponse(json, { texts: texts.length, dimensions, maxPromptTokens });
    },
    isAlone: texts.length === 1,
    isDoubtful: ({ vectors }) =>
      new Set(input).size > 1 && vectors.every((vector) => isSame(vector, vectors[0]!)),
  };
}

const isSame = (a: Float32Array, b: Float32Array): boolean => a.every((value, i) => value === b[i]);
