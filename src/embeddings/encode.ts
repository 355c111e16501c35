import { randomUUID } from 'node:crypto';
import type { Model } from '../engines/engine.ts';
import { turnOfItsOwn } from '../lib/turns.ts';
import { ByteWriter } from './byte-writer.ts';
import type { EmbeddingFormat, EmbeddingMemo, Form } from './embedding-memo.ts';
import { writeFloat32Json } from './float32-json.ts';
import {
  type EncodedType,
  EncodedVector,
  type Numbers,
  type OutputType,
  toOutputType,
} from './output-types.ts';
import type { CachedVector } from './vector-cache.ts';

export interface EmbeddingsBody {
  readonly embeddings: readonly CachedVector[];
  /** The cache key of each embedding. */
  readonly keys: readonly string[];
  readonly model: Pick<Model, 'name' | 'fingerprint'>;
  readonly format: EmbeddingFormat;
  readonly type: OutputType;
  /** How many of the model's dimensions to return. All of them if undefined. */
  readonly dimensions?: number | undefined;
  readonly promptTokens: number;
  readonly cached: boolean;
  /** The indexes of the texts that were cut. */
  readonly truncated: readonly number[];
  /** Holds the JSON of embeddings, and of whole responses with one embedding. */
  readonly memo: EmbeddingMemo;
}

/** Bounds the encoding in one turn of the event loop to one or two milliseconds. */
const embeddingsPerTurn = 32;

/** Stands for a vector. No client knows it. */
const placeholder = randomUUID();

/** Shared by all requests: each use must end within one turn of the event loop. */
const writer = new ByteWriter();

/** Returns the first `dimensions` numbers, normalized to a unit vector. Returns `vector` itself if it has that size. */
export function shorten(vector: Float32Array, dimensions: number): Float32Array {
  if (dimensions === vector.length) return vector;
  const short = vector.slice(0, dimensions);
  const norm = Math.sqrt(short.reduce((sum, value) => sum + value * value, 0));
  return norm === 0 ? short : short.map((value) => value / norm);
}

/** Returns the bytes of the numbers as base64. OpenAI's SDKs read those of little-endian float32. */
export function toBase64({ buffer, byteOffset, byteLength }: Numbers): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function writeAs(vector: Float32Array, type: EncodedType, format: EmbeddingFormat = 'float'): void {
  const numbers = type === 'base64' ? vector : toOutputType(vector, type);
  if (type === 'base64' || format === 'base64') writer.text(`"${toBase64(numbers)}"`);
  else if (numbers instanceof Float32Array) writeFloat32Json(numbers, writer);
  else writer.text(`[${numbers.join(',')}]`);
}

/**
 * Returns the JSON of the response in OpenAI's format: a buffer for few embeddings, a promise for many. Writes bytes
 * because a string would have to be flattened and encoded for every response, all in one turn of the event loop.
 */
export function embeddingsBody(body: EmbeddingsBody): Buffer | Promise<Buffer> {
  const count = body.embeddings.length;
  if (count > embeddingsPerTurn) return longBody(body);
  if (count === 1 && body.cached) return rememberedAnswer(body);
  return writer.written(() => writePart(body, 0, count));
}

/** Returns a response with one cached embedding, the most common kind, which is memoized whole. */
function rememberedAnswer(body: EmbeddingsBody): Buffer {
  const key = body.keys[0]!;
  const form = formOf(body, 0, 'answer');
  const known = body.memo.get(key, form);
  if (known) return known;
  const bytes = writer.written(() => writePart(body, 0, 1));
  body.memo.set(key, form, bytes);
  return bytes;
}

async function longBody(body: EmbeddingsBody): Promise<Buffer> {
  await turnOfItsOwn();
  return writtenInTurns(body.embeddings.length, (start, end) => writePart(body, start, end));
}

/** Returns what `write` writes for the embeddings from `start` to before `end`, some of `count` in each turn. */
async function writtenInTurns(count: number, write: (start: number, end: number) => void): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let start = 0; start < count; start += embeddingsPerTurn) {
    if (start > 0) await turnOfItsOwn();
    const end = Math.min(start + embeddingsPerTurn, count);
    parts.push(writer.written(() => write(start, end)));
  }
  return Buffer.concat(parts);
}

/** Returns the JSON of a value. Writes the vectors in it as those of `embeddingsBody`, and in as many turns. */
export async function jsonWithVectors(value: unknown): Promise<Buffer> {
  const vectors: (Float32Array | EncodedVector)[] = [];
  const json = JSON.stringify(value, (_name, part) => {
    if (!(part instanceof Float32Array || part instanceof EncodedVector)) return part;
    vectors.push(part);
    return placeholder;
  });
  const texts = json.split(JSON.stringify(placeholder));
  return writtenInTurns(texts.length, (start, end) => {
    for (let i = start; i < end; i += 1) {
      writer.text(texts[i]!);
      const vector = vectors[i];
      if (vector instanceof EncodedVector) writeAs(vector.vector, vector.type);
      else if (vector) writeFloat32Json(vector, writer);
    }
  });
}

/** Writes the embeddings from `start` to before `end`, and the response's opening or closing part at either end. */
function writePart(body: EmbeddingsBody, start: number, end: number): void {
  if (start === 0) writer.text('{"object":"list","data":[');
  for (let index = start; index < end; index++) {
    writer.text(`${index > 0 ? ',' : ''}{"object":"embedding","index":${index},"embedding":`);
    writeEmbedding(body, index);
    writer.text('}');
  }
  if (end < body.embeddings.length) return;
  const { model, promptTokens, cached, truncated } = body;
  const usage = `{"prompt_tokens":${promptTokens},"total_tokens":${promptTokens}}`;
  const source = `"model":${JSON.stringify(model.name)},"fingerprint":"${model.fingerprint}"`;
  writer.text(`],${source},"usage":${usage},"cached":${cached},"truncated":[${truncated.join(',')}]}`);
}

function writeEmbedding(body: EmbeddingsBody, index: number): void {
  const key = body.keys[index]!;
  const form = formOf(body, index, 'embedding');
  const known = body.cached && body.memo.get(key, form);
  if (known) {
    writer.add(known);
    return;
  }
  const start = writer.end;
  writeAs(shorten(body.embeddings[index]!.vector, form.dimensions), form.type, form.format);
  // Memoize from the second request on, since most texts come once, and only if the whole response is not memoized.
  if (body.cached && body.embeddings.length > 1) body.memo.set(key, form, writer.copy(start));
}

function formOf(body: EmbeddingsBody, index: number, what: Form['what']): Form {
  const { embeddings, format, type, dimensions } = body;
  return { what, format, type, dimensions: dimensions ?? embeddings[index]!.vector.length };
}
