import zlib from 'node:zlib';
import type { FileMetaData, SchemaElement } from 'hyparquet';
import type { JsonObject } from '../../lib/json.ts';

/** Snappy is built in. Node has zstd from version 22.15 on. */
const compressors = {
  GZIP: (bytes: Uint8Array) => zlib.gunzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => zlib.brotliDecompressSync(bytes),
  ...(zlib.zstdDecompressSync && { ZSTD: (bytes: Uint8Array) => zlib.zstdDecompressSync(bytes) }),
};

interface ParquetFile {
  readonly schema: readonly SchemaElement[];
  /** Yields the rows as JSON values, with all columns or with those of these names. */
  rows(columns?: string[]): AsyncGenerator<JsonObject>;
  /** Yields the rows as they are stored, so that a copy loses nothing. */
  storedRows(): AsyncGenerator<JsonObject>;
}

/** Opens a Parquet file. It is read by row groups, so that memory holds one at a time. */
export async function openParquet(path: string): Promise<ParquetFile> {
  // Loaded here, because most commands do not need it.
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, toJson } = await import('hyparquet');
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file).catch((cause) => {
    throw new Error(`${path} is not a Parquet file`, { cause });
  });
  async function* read(described: FileMetaData, options: { utf8?: boolean; columns?: string[] } = {}) {
    let rowStart = 0;
    for (const { num_rows: count } of metadata.row_groups) {
      const rowEnd = rowStart + Number(count);
      yield* await parquetReadObjects({
        file,
        metadata: described,
        compressors,
        rowStart,
        rowEnd,
        ...options,
      });
      rowStart = rowEnd;
    }
  }
  return {
    schema: metadata.schema,
    async *rows(columns) {
      const names = columnsOf(metadata.schema).map(([column]) => column!.name);
      const missing = columns?.find((name) => !names.includes(name));
      if (missing) throw new Error(`${path} has no column "${missing}"; see --field`);
      for await (const row of read(metadata, columns && { columns })) yield toJson(row) as JsonObject;
    },
    storedRows: () => read({ ...metadata, schema: storedSchema(metadata.schema) }, { utf8: false }),
  };
}

/** Returns the schema without what values mean, such as decimals or times: only how they are stored. */
export function storedSchema(schema: readonly SchemaElement[]): SchemaElement[] {
  return schema.map(({ converted_type, logical_type, ...element }) =>
    element.type === undefined
      ? { ...element, ...(converted_type && { converted_type }), ...(logical_type && { logical_type }) }
      : element,
  );
}

/** Returns the elements of the columns of a schema, each with those of its parts. */
export function columnsOf(schema: readonly SchemaElement[]): SchemaElement[][] {
  const columns: SchemaElement[][] = [];
  for (let at = 1; at < schema.length; ) {
    let end = at + 1;
    for (let missing = schema[at]!.num_children ?? 0; missing > 0; end += 1)
      missing += (schema[end]!.num_children ?? 0) - 1;
    columns.push(schema.slice(at, end));
    at = end;
  }
  return columns;
}
