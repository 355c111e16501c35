import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { pipeline } from 'node:stream';
import { codeOf } from '../../small/src/errors.ts';
import { isObject, type JsonObject, parsedJson } from '../../small/src/json.ts';
import { openParquet } from './parquet.ts';

export interface FileRow {
  readonly text: string;
  /** Where the text is in the file, such as `line 7`. */
  readonly at: string;
  /** All fields of the row in their order, with the text. */
  readonly fields: JsonObject;
}

/** A part of the input before its text is checked. `text` is a problem if it is not a text. */
type Unchecked = Omit<FileRow, 'text'> & { readonly text: unknown };
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
    const { CsvError, parse } = await import('csv-parse');
    const parser = parse({ columns: true, bom: true, info: true, skip_empty_lines: true });
    // The parser reports the errors of both. Its rows are read one by one, which holds back the file.
    const records = pipeline(decoded(file), parser, () => {});
    type Parsed = { record: Record<string, string>; info: { lines: number } };
    try {
      for await (const { record, info } of records as AsyncIterable<Parsed>)
        yield { text: record[field], at: `line ${info.lines}`, fields: record };
    } catch (cause) {
      if (!(cause instanceof CsvError)) throw cause;
      throw new Error(`${file}: ${cause.message}; ${separators}`, { cause });
    }
  },
  async *'.parquet'(file, field, onlyText) {
    let row = 0;
    for await (const fields of (await openParquet(file)).rows(onlyText ? [field] : undefined)) {
      row += 1;
      yield { text: fields[field], at: `row ${row}`, fields };
    }
  },
};

const separators = 'the fields of a CSV file must be separated by commas, not by semicolons or tabs';

export const inputFormats = Object.keys(readers);

/**
 * Yields the rows of a file in their order, one at a time. Throws at the first without a text. `onlyText`: other fields
 * of a Parquet file are not read.
 */
export async function* readRows(file: string, field: string, onlyText = false): AsyncGenerator<FileRow> {
  for await (const { text, at, fields } of readers[extname(file)]!(file, field, onlyText)) {
    if (text === undefined) {
      const hint = /[;\t]/.test(Object.keys(fields)[0] ?? '') ? separators : 'see --field';
      throw new Error(`${file}, ${at}: there is no field "${field}"; ${hint}`);
    }
    if (typeof text !== 'string') throw new Error(`${file}, ${at}: the field "${field}" is not a text`);
    if (text === '') throw new Error(`${file}, ${at}: the text is empty`);
    yield { text, at, fields };
  }
}

/** Yields lines with their places. Node's readline would also end lines at U+2028, which JSON allows within texts. */
export async function* linesOf(file: string): AsyncGenerator<[at: string, line: string]> {
  let count = 0;
  const numbered = (line: string): [string, string] => {
    count += 1;
    return [`line ${count}`, line.replace(/\r$/, '')];
  };
  let rest = '';
  for await (const text of decoded(file)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield numbered(line);
  }
  if (rest !== '') yield numbered(rest);
}

/** Yields the text of a file in UTF-8, or in UTF-16 with a byte order mark. Throws if it has other bytes. */
async function* decoded(file: string): AsyncGenerator<string> {
  let decoder: ReturnType<typeof decoderFor> | undefined;
  let lines = 0;
  // The last two parts of the file, because a letter can be in both.
  let parts = [Buffer.alloc(0), Buffer.alloc(0)] as const;
  try {
    for await (const bytes of createReadStream(file)) {
      decoder ??= decoderFor(bytes);
      lines += newlinesIn(parts[0]);
      parts = [parts[1], bytes];
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder?.decode() ?? '';
  } catch (cause) {
    if (codeOf(cause) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw cause;
    const validLines = newlinesIn(parts[0]);
    const written = Buffer.concat(parts).toString('latin1').split('\n');
    const wrong = written.findIndex((line, i) => i >= validLines && !isUtf8(Buffer.from(line, 'latin1')));
    throw new Error(`${file} is not valid UTF-8 in line ${lines + wrong + 1}`, { cause });
  }
}

function newlinesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) count += 1;
  return count;
}

const decoderFor = ([first, second]: Uint8Array) =>
  new TextDecoder(first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8', { fatal: true });
