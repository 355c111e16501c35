import { turnOfItsOwn } from '../lib/one-a-turn.ts';
import { ByteWriter } from './byte-writer.ts';
import type { EmbeddingFormat, EmbeddingMemo, Form } from './embedding-memo.ts';
import { writeFloat32Json } from './float32-json.ts';
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

/** What the event loop can spare at once: one or two milliseconds of encoding. */
const embeddingsPerTurn = 32;

/** Used within one turn of the event loop at a time. */
const writer = new ByteWriter();

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

/**
 * The response in OpenAI's shape, as the bytes of its JSON: at once for some embeddings, as a promise for many. Bytes from the
 * start, since text would be put together and encoded on its way out, each time and all at once.
 */
export function embeddingsBody(body: EmbeddingsBody): Buffer | Promise<Buffer> {
  const count = body.embeddings.length;
  if (count > embeddingsPerTurn) return longBody(body);
  if (count === 1 && body.cached) return rememberedAnswer(body);
  return writer.written(() => writePart(body, 0, count));
}

/** The commonest answer, with one embedding that was cached, is remembered whole. */
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
  const count = body.embeddings.length;
  const parts: Buffer[] = [];
  for (let start = 0; start < count; start += embeddingsPerTurn) {
    await turnOfItsOwn();
    const end = Math.min(start + embeddingsPerTurn, count);
    parts.push(writer.written(() => writePart(body, start, end)));
  }
  return Buffer.concat(parts);
}

/** The embeddings from `start` to before `end`; what stands before the first and behind the last goes with them. */
function writePart(body: EmbeddingsBody, start: number, end: number): void {
  if (start === 0) writer.text('{"object":"list","data":[');
  for (let index = start; index < end; index++) {
    writer.text(`${index > 0 ? ',' : ''}{"object":"embedding","index":${index},"embedding":`);
    writeEmbedding(body, index);
    writer.text('}');
  }
  if (end < body.embeddings.length) return;
  const { model, promptTokens, cached } = body;
  const usage = `{"prompt_tokens":${promptTokens},"total_tokens":${promptTokens}}`;
  writer.text(`],"model":${JSON.stringify(model)},"usage":${usage},"cached":${cached}}`);
}

function writeEmbedding(body: EmbeddingsBody, index: number): void {
  const key = body.keys[index]!;
  const form = formOf(body, index, 'embedding');
  const known = body.memo.get(key, form);
  if (known) {
    writer.add(known);
    return;
  }
  const start = writer.end;
  const short = shorten(body.embeddings[index]!.vector, form.dimensions);
  if (form.format === 'float') writeFloat32Json(short, writer);
  else writer.text(`"${float32Base64(short)}"`);
  // From the second request on, since most texts come once; and where it isn't remembered as a whole answer.
  if (body.cached && body.embeddings.length > 1) body.memo.set(key, form, writer.copy(start));
}

function formOf({ embeddings, format, dimensions }: EmbeddingsBody, index: number, what: Form['what']): Form {
  return { what, format, dimensions: dimensions ?? embeddings[index]!.vector.length };
}
