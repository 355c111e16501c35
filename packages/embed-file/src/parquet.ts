import zlib from 'node:zlib';
import type { FileMetaData, ParquetReadOptions, SchemaElement } from 'hyparquet';
import type { JsonObject } from '../../small/src/json.ts';

/** Snappy is built in. Node has zstd from version 22.15 on. */
const compressors = {
  GZIP: (bytes: Uint8Array) => zlib.gunzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => zlib.brotliDecompressSync(bytes),
  ...(zlib.zstdDecompressSync && { ZSTD: (bytes: Uint8Array) => zlib.zstdDecompressSync(bytes) }),
};

interface ParquetFile {
  /** The texts of the file's metadata. */
  readonly labels: JsonObject;
  /** Returns the elements of each column, for a copy. Throws if one can't be copied. */
  columns(): SchemaElement[][];
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
  async function* read(
    described: FileMetaData,
    options: Partial<Pick<ParquetReadOptions, 'columns' | 'parsers' | 'utf8'>> = {},
  ) {
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
    labels: Object.fromEntries(metadata.key_value_metadata?.map(({ key, value }) => [key, value]) ?? []),
    columns() {
      // They are read as objects, whose keys are texts.
      const map = metadata.schema.find(({ converted_type: type }) => type === 'MAP');
      if (map) throw new Error(`${path}: the column "${map.name}" has maps, which can't be copied`);
      return columnsOf(metadata.schema).map((column) => column.map(writable));
    },
    async *rows(columns) {
      const names = columnsOf(metadata.schema).map(([column]) => column!.name);
      const missing = columns?.find((name) => !names.includes(name));
      if (missing) throw new Error(`${path} has no column "${missing}"; see --field`);
      for await (const row of read(metadata, columns && { columns })) yield toJson(row) as JsonObject;
    },
    storedRows: () =>
      read(
        { ...metadata, schema: storedSchema(metadata.schema) },
        // The only type that is converted even so is INT96, the former type of times.
        { utf8: false, parsers: { timestampFromNanoseconds: (nanoseconds) => nanoseconds } },
      ),
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

/**
 * Returns the element of the same values with what can be written: INT64 instead of INT96, and the types of integers in
 * their older form, because hyparquet-writer writes an invalid file with the newer one.
 */
function writable(element: SchemaElement): SchemaElement {
  const { type, logical_type, ...others } = element;
  if (type === 'INT96')
    return {
      ...others,
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'NANOS' },
    };
  if (logical_type?.type !== 'INTEGER') return element;
  const { isSigned, bitWidth } = logical_type;
  const converted_type = `${isSigned ? '' : 'U'}INT_${bitWidth}` as NonNullable<
    SchemaElement['converted_type']
  >;
  return { ...others, type, converted_type } as SchemaElement;
}

/** Returns the elements of the columns of a schema, each with those of its parts. */
function columnsOf(schema: readonly SchemaElement[]): SchemaElement[][] {
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
