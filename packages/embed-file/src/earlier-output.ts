import { extname } from 'node:path';
import { type Embedding, requireSame, type Source } from './embedding.ts';
import { textOrNull } from './embedding-client.ts';
import { openParquet } from './parquet.ts';
import { readRows } from './read-rows.ts';

export type EarlierOutput = Awaited<ReturnType<typeof earlierOutput>>;

/** Reads a `.jsonl` or `.parquet` output. Throws if it doesn't state what has produced its vectors. */
export async function earlierOutput(file: string, field: string) {
  const labels = extname(file) === '.parquet' ? (await openParquet(file)).labels : {};
  const embeddings = new Map<string, Embedding>();
  let first: { source: Source; inputType: unknown; dimensions: number } | undefined;
  for await (const { text, fields } of readRows(file, field)) {
    const { embedding, truncated, ...rest } = { ...fields, ...labels };
    const {
      embedding_model: model,
      embedding_fingerprint: fingerprint,
      embedding_input_type: inputType,
    } = rest;
    if (!Array.isArray(embedding) || typeof model !== 'string')
      throw new Error(`${file} doesn't state the model of its vectors: it is not from "embedgate embed"`);
    const source = { model, fingerprint: textOrNull(fingerprint) };
    first ??= { source, inputType, dimensions: embedding.length };
    requireSame(first.source, source, file);
    embeddings.set(text, { vector: Float32Array.from(embedding), isCut: truncated === true });
  }
  if (!first) throw new Error(`${file} has no vectors`);
  return { file, ...first, embeddings };
}
