import { fieldsOf, isObject, isPositiveInteger, type JsonObject } from '../../small/src/json.ts';
import { UpstreamFailure } from './failures.ts';

/** The parsed response to `POST …/embeddings`. */
export interface UpstreamResponse {
  /** Unit vectors, in the order of the texts. */
  readonly vectors: Float32Array[];
  /** The total of all texts, if the upstream reports a plausible number. */
  readonly promptTokens: number | undefined;
}

interface Expected {
  readonly texts: number;
  /** Undefined if not known yet. */
  readonly dimensions: number | undefined;
  /** An upper bound of the texts' tokens. */
  readonly maxPromptTokens: number;
}

/** Parses a response in OpenAI's format, with vectors as numbers or base64. Throws an UpstreamFailure if invalid. */
export function readResponse(json: unknown, expected: Expected): UpstreamResponse {
  const { data, usage } = mapping(json, 'a response');
  if (!Array.isArray(data) || data.length !== expected.texts) {
    const count = Array.isArray(data) ? data.length : 'no';
    throw new UpstreamFailure(`returns ${count} vectors for ${expected.texts} texts`, { isFinal: true });
  }
  const vectors: Float32Array[] = new Array(expected.texts);
  for (const [i, item] of data.entries()) {
    const { index: stated, embedding } = mapping(item, 'a vector');
    // Some servers leave the index out, or only a zero. One with digits that can't be read must not count as left out.
    const index = /\d/.test(String(stated)) ? Number(stated) : i;
    if (!(index in data) || vectors[index]) {
      throw new UpstreamFailure('returns vectors whose "index" values are not those of the texts');
    }
    const vector = unitVector(numbersOf(embedding));
    if (vector.length !== (expected.dimensions ?? vector.length)) {
      throw new UpstreamFailure(`returns ${vector.length} dimensions instead of ${expected.dimensions}`, {
        isConfiguration: true,
        isFinal: true,
      });
    }
    vectors[index] = vector;
  }
  return { vectors, promptTokens: promptTokensOf(usage, expected.maxPromptTokens) };
}

/**
 * Parses a response of `POST …/rerank` in the format of Cohere, Jina, vLLM or Voyage. Each score is a vector of one
 * number. Throws an UpstreamFailure if it is invalid.
 */
export function readScores(json: unknown, expected: Omit<Expected, 'dimensions'>): UpstreamResponse {
  const { results, data, usage } = mapping(json, 'a response');
  const found = data ?? results;
  const scores = new Map<unknown, number>();
  for (const item of Array.isArray(found) ? found : []) {
    const { index, score, relevance_score: relevance = score } = mapping(item, 'a score');
    if (scores.has(index)) throw new UpstreamFailure('returns two scores for a document');
    scores.set(index, typeof relevance === 'number' ? relevance : Number.NaN);
  }
  const vectors = Array.from({ length: expected.texts }, (_, i) =>
    Float32Array.of(scores.get(i) ?? Number.NaN),
  );
  if (scores.size !== expected.texts || !vectors.every(([score]) => Number.isFinite(score)))
    throw new UpstreamFailure(`returns no score for each of ${expected.texts} documents`, {
      isFinal: true,
    });
  return { vectors, promptTokens: promptTokensOf(usage, expected.maxPromptTokens) };
}

function mapping(value: unknown, what: string): JsonObject {
  if (isObject(value)) return value;
  throw new UpstreamFailure(`returns ${what} that is not in the format of OpenAI's API`);
}

function numbersOf(embedding: unknown): Float32Array {
  if (Array.isArray(embedding) && embedding.every((value) => typeof value === 'number')) {
    return Float32Array.from(embedding);
  }
  if (typeof embedding === 'string') {
    const bytes = Buffer.from(embedding, 'base64');
    // Copied, because a buffer from Node's pool may not be aligned.
    if (bytes.length % 4 === 0) return new Float32Array(new Uint8Array(bytes).buffer);
  }
  throw new UpstreamFailure('returns a vector that is neither numbers nor base64 of float32', {
    isFinal: true,
  });
}

function unitVector(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (vector.length === 0 || !Number.isFinite(norm) || norm === 0) {
    throw new UpstreamFailure('returns a vector that is empty, zero or not finite', { isFinal: true });
  }
  return vector.map((value) => value / norm);
}

function promptTokensOf(usage: unknown, most: number): number | undefined {
  const { total_tokens: total, prompt_tokens: tokens = total } = fieldsOf(usage);
  return isPositiveInteger(tokens) && tokens <= most ? tokens : undefined;
}

/** Returns the body as text. Throws an UpstreamFailure when it is larger than `maxBytes`. */
export async function responseText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new UpstreamFailure(`returns more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  // Leaves out a byte order mark.
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Parses JSON. Throws an UpstreamFailure when the text is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Python writes a vector with NaN like this.
    const isFinal = /[[,:]\s*-?(NaN|Infinity)/.test(text);
    throw new UpstreamFailure('returns a body that is not JSON', { isFinal });
  }
}
