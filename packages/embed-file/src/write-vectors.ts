import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import type { SchemaElement } from 'hyparquet';
import { syncDirectory } from '../../small/src/files.ts';
import type { JsonObject } from '../../small/src/json.ts';
import type { Embedding } from './embedding.ts';
import { openParquet, storedSchema } from './parquet.ts';
import { readRows } from './read-rows.ts';

/** What is written: the rows of the input, and an embedding for each. */
export interface Rows {
  readonly input: string;
  readonly field: string;
  readonly count: number;
  readonly dimensions: number;
  readonly embeddings: AsyncGenerator<Embedding, void>;
  /** The rows whose texts were cut. Complete when the embeddings are read. */
  readonly cut: readonly number[];
  /** What the output says of all its vectors: in fields of JSON, or in the metadata of Parquet. */
  readonly labels: Readonly<Record<string, string | undefined>>;
  readonly types: TableColumnTypes;
}

/** The types of the columns that hold the fields of rows which are not from a Parquet file. */
export type TableColumnTypes = ReadonlyMap<string, ColumnType>;
export type ColumnType = 'STRING' | 'BOOLEAN' | 'INT64' | 'DOUBLE';

type Write = (file: string, rows: Rows) => Promise<void>;
/** Numbers in a row group of Parquet, which memory holds until it is written. */
const numbersInGroup = 524_288;

const writers: Readonly<Record<string, Write>> = {
  async '.npy'(file, { count, dimensions, embeddings, cut, labels }) {
    const described = `{'descr': '<f4', 'fortran_order': False, 'shape': (${count}, ${dimensions}), }`;
    // The ten bytes before it, the text and the end of the line fill multiples of 64 bytes.
    const text = `${described.padEnd(Math.ceil((described.length + 11) / 64) * 64 - 11)}\n`;
    const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, text.length & 0xff, text.length >> 8]);
    using out = writing(file);
    out.write(Buffer.concat([start, Buffer.from(text)]));
    for await (const { vector } of embeddings) out.write(vector);
    // The format has no place for more than numbers.
    writeFileSync(file.replace(/tmp$/, 'json'), `${JSON.stringify({ ...labels, truncated: cut })}\n`);
  },
  async '.jsonl'(file, { input, field, embeddings, labels }) {
    using out = writing(file);
    for await (const { fields } of readRows(input, field)) {
      const { vector, isCut: truncated } = (await embeddings.next()).value!;
      // Nine digits determine a float32.
      const embedding = Array.from(vector, (number) => Number(number.toPrecision(9)));
      out.write(Buffer.from(`${JSON.stringify({ ...fields, embedding, truncated, ...labels })}\n`));
    }
  },
  async '.parquet'(file, { input, field, dimensions, embeddings, types, labels }) {
    const { ParquetWriter, fileWriter } = await import('hyparquet-writer');
    const parquet = extname(input) === '.parquet' ? await openParquet(input) : undefined;
    const replaced = ['embedding', 'truncated', ...Object.keys(labels)];
    const own = parquet?.columns() ?? columnsFor(types);
    const columns = [...own.filter(([column]) => !replaced.includes(column!.name)), ...addedColumns];
    const schema = [{ name: 'schema', num_children: columns.length }, ...columns.flat()];
    // Values are copied as they are stored, so they are written without their meaning, which the end of the file
    // states.
    const writer = new ParquetWriter({
      writer: fileWriter(file),
      schema: parquet ? storedSchema(schema) : schema,
      createdBy: 'embedgate',
      kvMetadata: Object.entries(labels).flatMap(([key, value]) => (value ? [{ key, value }] : [])),
    });
    const names = columns.map(([column]) => column!.name);
    const rowsInGroup = Math.max(1, Math.floor(numbersInGroup / dimensions));
    let data: unknown[][] = names.map(() => []);
    const flush = async (): Promise<void> => {
      const columnData = names.map((name, i) => ({
        name,
        data: data[i]!,
        statistics: false,
        ...(name === 'embedding' && { encoding: 'PLAIN' as const, codec: 'UNCOMPRESSED' as const }),
      }));
      await writer.write({ columnData, rowGroupSize: rowsInGroup });
      data = names.map(() => []);
    };
    const rows = parquet ? parquet.storedRows() : fieldsOf(input, field, types);
    for await (const row of rows) {
      const { vector, isCut: truncated } = (await embeddings.next()).value!;
      const whole: JsonObject = { ...row, embedding: Array.from(vector), truncated };
      for (const [i, name] of names.entries()) data[i]!.push(whole[name] ?? null);
      if (data[0]!.length === rowsInGroup) await flush();
    }
    if (data[0]!.length > 0) await flush();
    writer.schema = schema;
    await writer.finish();
  },
};

export const outputFormats = Object.keys(writers);

/** Writes the output atomically: it is never half-written. */
export async function writeVectors(output: string, rows: Rows): Promise<void> {
  const temporary = `${output}.tmp`;
  try {
    await writers[extname(output)]!(temporary, rows);
    const file = openSync(temporary, 'r+');
    fsyncSync(file);
    closeSync(file);
    renameSync(temporary, output);
  } finally {
    rmSync(temporary, { force: true });
  }
  syncDirectory(dirname(output));
}

export function writing(file: string): Disposable & { write(bytes: Uint8Array | Float32Array): void } {
  const open = openSync(file, 'w');
  return {
    write: (bytes) => {
      for (let at = 0; at < bytes.byteLength; )
        at += writeSync(open, new Uint8Array(bytes.buffer, bytes.byteOffset + at, bytes.byteLength - at));
    },
    [Symbol.dispose]: () => closeSync(open),
  };
}

const addedColumns: SchemaElement[][] = [
  [
    { name: 'embedding', repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', type: 'FLOAT' },
  ],
  [{ name: 'truncated', repetition_type: 'REQUIRED', type: 'BOOLEAN' }],
];

function columnsFor(types: TableColumnTypes): SchemaElement[][] {
  return [...types].map(([name, type]) => [
    type === 'STRING'
      ? { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }
      : { name, type, repetition_type: 'OPTIONAL' },
  ]);
}

/** Yields the fields of rows as values of their columns. Objects and lists become JSON. */
async function* fieldsOf(input: string, field: string, types: TableColumnTypes): AsyncGenerator<JsonObject> {
  for await (const { fields } of readRows(input, field)) {
    const row: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields)) {
      const type = types.get(name);
      if (value === null) row[name] = null;
      else if (type === 'INT64') row[name] = BigInt(value as number);
      else row[name] = type === 'STRING' && typeof value !== 'string' ? JSON.stringify(value) : value;
    }
    yield row;
  }
}

/** Returns the type of a column that holds a value besides values of `type`, if there are any. */
export function typeFor(value: unknown, type: ColumnType | undefined): ColumnType {
  const own = Number.isSafeInteger(value) ? 'INT64' : (typesOf[typeof value] ?? 'STRING');
  if (type === undefined || type === own) return own;
  return [type, own].every((one) => one === 'INT64' || one === 'DOUBLE') ? 'DOUBLE' : 'STRING';
}

const typesOf: Readonly<Record<string, ColumnType>> = { number: 'DOUBLE', boolean: 'BOOLEAN' };
