import { setImmediate } from 'node:timers/promises';
import type { EmbeddingFormat, EmbeddingMemo, Form } from './embedding-memo.ts';
import { float32Json } from './float32-json.ts';
import type { CachedVector } from './vector-cache.ts';

export interface EmbeddingsBody {
  readonly embeddings: readonly CachedVector[];
  /** The cache key of each embedding. */
  readonly keys: readonly string[];
  readonly model: string;
  readonly format: EmbeddingFormat;
  /** How many of the model's; undefined is all. */
  readonly dimensions?: number | undefined;
  readonly promptTokens: number;
  readonly cached: boolean;
  /** Remembers the JSON of embeddings, and of whole answers with one. */
  readonly memo: EmbeddingMemo;
}

/** About what the event loop can spare at once: some milliseconds of encoding. */
const embeddingsPerTurn = 128;
/** The first `dimensions` numbers, as a unit vector again; a vector of that size stays as it is. */
export function shorten(vector: Float32Array, dimensions: number): Float32Array {
  if (dimensions === vector.length) return vector;
  const short = vector.slice(0, dimensions);
  const norm = Math.sqrt(short.reduce((sum, value) => sum + value * value, 0));
  return norm === 0 ? short : short.map((value) => value / norm);
}

/** Little-endian float32, as OpenAI's SDKs read it. */
export function float32Base64(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

/** The response in OpenAI's shape, as JSON: at once for some embeddings, as a promise for many. */
export function embeddingsBody(body: EmbeddingsBody): string | Promise<string> {
  const count = body.embeddings.length;
  // The commonest answer is remembered whole: it is sent as it is, where one put together had to be copied each time.
  if (count === 1 && body.cached)
    return remembered(body, 0, 'answer', () => envelope(body, items(body, 0, 1)));
  if (count <= embeddingsPerTurn) return envelope(body, items(body, 0, count));
  return longBody(body);
}

async function longBody(body: EmbeddingsBody): Promise<string> {
  const parts: string[] = [];
  for (let start = 0; start < body.embeddings.length; start += embeddingsPerTurn) {
    if (start > 0) await setImmediate();
    parts.push(items(body, start, Math.min(start + embeddingsPerTurn, body.embeddings.length)));
  }
  return envelope(body, parts.join(','));
}

function envelope({ model, promptTokens, cached }: EmbeddingsBody, list: string): string {
  const usage = `{"prompt_tokens":${promptTokens},"total_tokens":${promptTokens}}`;
  return `{"object":"list","data":[${list}],"model":${JSON.stringify(model)},"usage":${usage},"cached":${cached}}`;
}

function items(body: EmbeddingsBody, start: number, end: number): string {
  let list = '';
  for (let index = start; index < end; index++) {
    if (index > start) list += ',';
    list += `{"object":"embedding","index":${index},"embedding":${embeddingJson(body, index)}}`;
  }
  return list;
}

function embeddingJson(body: EmbeddingsBody, index: number): string {
  return remembered(body, index, 'embedding', () => {
    const { vector } = body.embeddings[index]!;
    const short = shorten(vector, body.dimensions ?? vector.length);
    return body.format === 'float' ? float32Json(short) : `"${float32Base64(short)}"`;
  });
}

function remembered(
  { embeddings, keys, format, dimensions, memo, cached }: EmbeddingsBody,
  index: number,
  what: Form['what'],
  make: () => string,
): string {
  const key = keys[index]!;
  const form = { what, format, dimensions: dimensions ?? embeddings[index]!.vector.length };
  const known = memo.get(key, form);
  if (known !== undefined) return known;
  const json = make();
  // From the second request on: most texts come once, and what is kept for nothing costs long garbage collections.
  if (cached) memo.set(key, form, json);
  return json;
}
