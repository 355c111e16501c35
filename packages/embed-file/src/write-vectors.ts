import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import type { SchemaElement } from 'hyparquet';
import { syncDirectory } from '../../small/src/files.ts';
import type { JsonObject } from '../../small/src/json.ts';
import { openParquet, storedSchema } from './parquet.ts';
import { readRows } from './read-rows.ts';

/** What is written: the rows of the input, and a vector for each. */
export interface Source {
  readonly input: string;
  readonly field: string;
  readonly count: number;
  readonly dimensions: number;
  readonly vectors: Generator<Float32Array, void>;
  readonly types: TableColumnTypes;
}

/** The types of the columns that hold the fields of rows which are not from a Parquet file. */
export type TableColumnTypes = ReadonlyMap<string, ColumnType>;
export type ColumnType = 'STRING' | 'BOOLEAN' | 'INT64' | 'DOUBLE';

type Write = (file: string, source: Source) => Promise<void>;
const added = 'embedding';
/** Numbers in a row group of Parquet, which memory holds until it is written. */
const numbersInGroup = 524_288;

const writers: Readonly<Record<string, Write>> = {
  async '.npy'(file, { count, dimensions, vectors }) {
    const described = `{'descr': '<f4', 'fortran_order': False, 'shape': (${count}, ${dimensions}), }`;
    // The ten bytes before it, the text and the end of the line fill multiples of 64 bytes.
    const text = `${described.padEnd(Math.ceil((described.length + 11) / 64) * 64 - 11)}\n`;
    const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, text.length & 0xff, text.length >> 8]);
    using out = writing(file);
    out.write(Buffer.concat([start, Buffer.from(text)]));
    for (const vector of vectors) out.write(vector);
  },
  async '.jsonl'(file, { input, field, vectors }) {
    using out = writing(file);
    for await (const { fields } of readRows(input, field)) {
      // Nine digits determine a float32.
      const embedding = Array.from(vectors.next().value!, (number) => Number(number.toPrecision(9)));
      out.write(Buffer.from(`${JSON.stringify({ ...fields, [added]: embedding })}\n`));
    }
  },
  async '.parquet'(file, { input, field, dimensions, vectors, types }) {
    const { ParquetWriter, fileWriter } = await import('hyparquet-writer');
    const parquet = extname(input) === '.parquet' ? await openParquet(input) : undefined;
    const kept = (parquet?.columns() ?? columnsFor(types)).filter(([column]) => column!.name !== added);
    const columns = [...kept, vectorColumn];
    const schema = [{ name: 'schema', num_children: columns.length }, ...columns.flat()];
    // Values are copied as they are stored, so they are written without their meaning, which the end of the file
    // states.
    const writer = new ParquetWriter({
      writer: fileWriter(file),
      schema: parquet ? storedSchema(schema) : schema,
      createdBy: 'embedgate',
    });
    const names = columns.map(([column]) => column!.name);
    const rowsInGroup = Math.max(1, Math.floor(numbersInGroup / dimensions));
    let data: unknown[][] = names.map(() => []);
    const flush = async (): Promise<void> => {
      const columnData = names.map((name, i) => ({
        name,
        data: data[i]!,
        statistics: false,
        ...(name === added && { encoding: 'PLAIN' as const, codec: 'UNCOMPRESSED' as const }),
      }));
      await writer.write({ columnData, rowGroupSize: rowsInGroup });
      data = names.map(() => []);
    };
    const rows = parquet ? parquet.storedRows() : fieldsOf(input, field, types);
    for await (const row of rows) {
      const vector = vectors.next().value!;
      for (const [i, name] of names.entries())
        data[i]!.push(name === added ? Array.from(vector) : (row[name] ?? null));
      if (data[0]!.length === rowsInGroup) await flush();
    }
    if (data[0]!.length > 0) await flush();
    writer.schema = schema;
    await writer.finish();
  },
};

export const outputFormats = Object.keys(writers);

/** Writes the output atomically: it is never half-written. */
export async function writeVectors(output: string, source: Source): Promise<void> {
  const temporary = `${output}.tmp`;
  try {
    await writers[extname(output)]!(temporary, source);
    const file = openSync(temporary, 'r+');
    fsyncSync(file);
    closeSync(file);
    renameSync(temporary, output);
  } finally {
    rmSync(temporary, { force: true });
  }
  syncDirectory(dirname(output));
}

function writing(file: string): Disposable & { write(bytes: Uint8Array | Float32Array): void } {
  const open = openSync(file, 'w');
  return {
    write: (bytes) => {
      for (let at = 0; at < bytes.byteLength; )
        at += writeSync(open, new Uint8Array(bytes.buffer, bytes.byteOffset + at, bytes.byteLength - at));
    },
    [Symbol.dispose]: () => closeSync(open),
  };
}

const vectorColumn: SchemaElement[] = [
  { name: added, repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', repetition_type: 'REQUIRED', type: 'FLOAT' },
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
