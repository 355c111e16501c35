import { randomUUID } from 'node:crypto';
import type { Model } from '../../packages/engine/src/index.ts';
import type { InTurn } from '../lib/fair-turns.ts';
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
  readonly cachedTexts: number;
  /** The indexes of the texts that were cut. */
  readonly truncated: readonly number[];
  /** Holds the JSON of embeddings, and of whole responses with one embedding. */
  readonly memo: EmbeddingMemo;
}

/** More embeddings are encoded in turns of the event loop. */
const fewEmbeddings = 16;

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
export function embeddingsBody(body: EmbeddingsBody, inTurn: InTurn): Buffer | Promise<Buffer> {
  const count = body.embeddings.length;
  if (count > fewEmbeddings) return writtenInTurns(count, (index) => writePart(body, index), inTurn);
  if (count === 1 && body.cached) return rememberedAnswer(body);
  return writer.written(() => {
    for (let index = 0; index < count; index += 1) writePart(body, index);
  });
}

/** Returns a response with one cached embedding, the most common kind, which is memoized whole. */
function rememberedAnswer(body: EmbeddingsBody): Buffer {
  const key = body.keys[0]!;
  const form = formOf(body, 0, 'answer');
  const known = body.memo.get(key, form);
  if (known) return known;
  const bytes = writer.written(() => writePart(body, 0));
  body.memo.set(key, form, bytes);
  return bytes;
}

/** Returns what `write` writes for the indexes below `count`. */
async function writtenInTurns(
  count: number,
  write: (index: number) => void,
  inTurn: InTurn,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let index = 0; index < count; ) {
    const part = await inTurn((isOver) =>
      writer.written(() => {
        do write(index++);
        while (index < count && !isOver());
      }),
    );
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Returns the JSON of a value. Writes the vectors in it as those of `embeddingsBody`, and in as many turns. */
export async function jsonWithVectors(value: unknown, inTurn: InTurn): Promise<Buffer> {
  const vectors: (Float32Array | EncodedVector)[] = [];
  const json = JSON.stringify(value, (_name, part) => {
    if (!(part instanceof Float32Array || part instanceof EncodedVector)) return part;
    vectors.push(part);
    return placeholder;
  });
  const texts = json.split(JSON.stringify(placeholder));
  const write = (index: number): void => {
    writer.text(texts[index]!);
    const vector = vectors[index];
    if (vector instanceof EncodedVector) writeAs(vector.vector, vector.type);
    else if (vector) writeFloat32Json(vector, writer);
  };
  return writtenInTurns(texts.length, write, inTurn);
}

/** Writes an embedding, and the response's opening or closing part beside the first or last one. */
function writePart(body: EmbeddingsBody, index: number): void {
  writer.text(index === 0 ? '{"object":"list","data":[' : ',');
  writer.text(`{"object":"embedding","index":${index},"embedding":`);
  writeEmbedding(body, index);
  writer.text('}');
  if (index < body.embeddings.length - 1) return;
  const { model, promptTokens, cached, cachedTexts, truncated } = body;
  const usage = `{"prompt_tokens":${promptTokens},"total_tokens":${promptTokens}}`;
  const source = `"model":${JSON.stringify(model.name)},"fingerprint":"${model.fingerprint}"`;
  const fromCache = `"cached":${cached},"cached_texts":${cachedTexts}`;
  writer.text(`],${source},"usage":${usage},${fromCache},"truncated":[${truncated.join(',')}]}`);
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
