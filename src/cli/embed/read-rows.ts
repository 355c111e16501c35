import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { pipeline } from 'node:stream';
import { isObject, type JsonObject, parsedJson } from '../../lib/json.ts';
import { openParquet } from './parquet.ts';

export interface Row {
  readonly text: string;
  /** Where the text is in the file, such as `line 7`. */
  readonly at: string;
  /** All fields of the row in their order, with the text. */
  readonly fields: JsonObject;
}

/** A part of the input before its text is checked. `text` is a problem if it is not a text. */
type Unchecked = Omit<Row, 'text'> & { readonly text: unknown };
type Reader = (file: string, field: string, onlyText: boolean) => AsyncIterable<Unchecked>;

const readers: Readonly<Record<string, Reader>> = {
  async *'.txt'(file, field) {
    for await (const [at, text] of linesOf(file)) yield { text, at, fields: { [field]: text } };
  },
  async *'.jsonl'(file, field) {
    for await (const [at, line] of linesOf(file)) {
      if (line.trim() === '') continue;
      const value = parsedJson(line);
      if (typeof value === 'string') yield { text: value, at, fields: { [field]: value } };
      else if (isObject(value)) yield { text: value[field], at, fields: value };
      else throw new Error(`${file}, ${at}: not a JSON object or string`);
    }
  },
  async *'.csv'(file, field) {
    const { parse } = await import('csv-parse');
    const parser = parse({ columns: true, bom: true, info: true, skip_empty_lines: true });
    // The parser reports the errors of both. Its rows are read one by one, which holds back the file.
    const records = pipeline(createReadStream(file), parser, () => {});
    type Parsed = { record: Record<string, string>; info: { lines: number } };
    for await (const { record, info } of records as AsyncIterable<Parsed>)
      yield { text: record[field], at: `line ${info.lines}`, fields: record };
  },
  async *'.parquet'(file, field, onlyText) {
    let row = 0;
    for await (const fields of (await openParquet(file)).rows(onlyText ? [field] : undefined)) {
      row += 1;
      yield { text: fields[field], at: `row ${row}`, fields };
    }
  },
};

export const inputFormats = Object.keys(readers);

/**
 * Yields the rows of a file in their order, one at a time. Throws at the first without a text. `onlyText`: other fields
 * of a Parquet file are not read.
 */
export async function* readRows(file: string, field: string, onlyText = false): AsyncGenerator<Row> {
  for await (const { text, at, fields } of readers[extname(file)]!(file, field, onlyText)) {
    if (text === undefined) throw new Error(`${file}, ${at}: there is no field "${field}"; see --field`);
    if (typeof text !== 'string') throw new Error(`${file}, ${at}: the field "${field}" is not a text`);
    if (text === '') throw new Error(`${file}, ${at}: the text is empty`);
    yield { text, at, fields };
  }
}

/** Yields lines with their places. Node's readline would also end lines at U+2028, which JSON allows within texts. */
export async function* linesOf(file: string): AsyncGenerator<[at: string, line: string]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let count = 0;
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      throw new Error(`${file} is not valid UTF-8 after line ${count}`, { cause });
    }
  };
  const numbered = (line: string): [string, string] => {
    count += 1;
    return [`line ${count}`, line.replace(/\r$/, '')];
  };
  let rest = '';
  for await (const bytes of createReadStream(file)) {
    const lines = (rest + decoded(bytes)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield numbered(line);
  }
  rest += decoded();
  if (rest !== '') yield numbered(rest);
}
