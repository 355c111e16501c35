import { splitPair, type TraceHeaders } from '../../engine/src/index.ts';
import type { Attempt } from './endpoint.ts';
import { readResponse, readScores, type UpstreamResponse } from './response.ts';
import type { UpstreamSettings } from './settings.ts';
import { mostTokens } from './upstream-text.ts';

interface Form {
  /** Undefined if not known yet. */
  readonly dimensions: number | undefined;
  /** The number of tokens that the upstream adds to each text, if known. */
  readonly addedTokens?: number | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly trace?: TraceHeaders | undefined;
}

/** Upper bound for one number: a float64 has at most 24 characters in JSON, and some servers indent each. */
const maxNumberBytes = 64;
const maxEnvelopeBytes = 65_536;
/** A UTF-16 unit as JSON escapes it, and what stands around a document. */
const [maxUnitBytes, maxScoreBytes] = [6, 512];
/** Limit for a response whose dimensions are not known yet. */
const maxDimensions = 65_536;

/** Returns the call that requests the texts' vectors, or the scores of pairs that have one query. */
export function requestFor(
  texts: readonly string[],
  { model, task, encoding }: Pick<UpstreamSettings, 'model' | 'task' | 'encoding'>,
  { dimensions, addedTokens, timeoutMs, signal, trace }: Form,
): Attempt<UpstreamResponse> {
  // Servers reject an empty text. A space has as little meaning.
  const input = texts.map((text) => text || ' ');
  const maxPromptTokens = mostTokens(input, addedTokens);
  if (task === 'rerank') {
    const [query] = splitPair(texts[0]!);
    const documents = texts.map((text) => splitPair(text)[1] || ' ');
    return {
      path: 'rerank',
      body: JSON.stringify({ model, query, documents, top_n: texts.length, return_documents: false }),
      // Some servers return the documents whether or not they are asked to.
      maxAnswerBytes: texts.join('').length * maxUnitBytes + texts.length * maxScoreBytes + maxEnvelopeBytes,
      timeoutMs,
      signal,
      trace,
      read: (json) => readScores(json, { texts: texts.length, maxPromptTokens }),
      isAlone: texts.length === 1,
      isDoubtful: () => false,
    };
  }
  return {
    path: 'embeddings',
    body: JSON.stringify({ model, input, ...(encoding === 'base64' && { encoding_format: encoding }) }),
    maxAnswerBytes: texts.length * (dimensions ?? maxDimensions) * maxNumberBytes + maxEnvelopeBytes,
    timeoutMs,
    signal,
    trace,
    read: (json) => readResponse(json, { texts: texts.length, dimensions, maxPromptTokens }),
    isAlone: texts.length === 1,
    isDoubtful: ({ vectors }) =>
      new Set(input).size > 1 && vectors.every((vector) => isSame(vector, vectors[0]!)),
  };
}

const isSame = (a: Float32Array, b: Float32Array): boolean => a.every((value, i) => value === b[i]);
