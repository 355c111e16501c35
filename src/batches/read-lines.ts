import { isUtf8 } from 'node:buffer';
import { isObject } from '../../packages/small/src/json.ts';
import type { InTurn } from '../lib/fair-turns.ts';
import { excerpt } from '../lib/harmless.ts';
import { excessOf } from '../lib/json-bounds.ts';
import type { BatchEndpoint, BatchFault } from './batch.ts';
import type { BatchLine } from './line.ts';

/** A line as the file has it. */
export interface RawLine {
  readonly bytes: Buffer;
  /** Whether the line is longer than `maxBytes`; `bytes` then has only its beginning. */
  readonly isTooLong: boolean;
  /** The place in the file behind the line. */
  readonly end: number;
  /** The number of the line in the source, from 1; empty lines have numbers too. */
  readonly number: number;
}

export interface Reading<T> {
  /** Where the source begins in the file. */
  readonly start: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly inTurn: InTurn;
  /** Reads a line that is not empty. */
  read(line: RawLine): T;
}

const newline = 0x0a;

/** Yields what `read` returns for the lines of a file that are not empty. Throws when the signal aborts. */
export async function* readLines<T>(
  source: AsyncIterable<Buffer>,
  { start, maxBytes, signal, inTurn, read }: Reading<T>,
): AsyncGenerator<T, void> {
  let begun: Buffer[] = [];
  let length = 0;
  let at = start;
  let number = 0;
  const add = (bytes: Buffer): void => {
    // One byte more than a line may have shows that it is too long.
    if (length <= maxBytes) begun.push(bytes.subarray(0, maxBytes + 1 - length));
    length += bytes.length;
  };
  const takeTo = (found: T[]): void => {
    number += 1;
    if (length === 0) return;
    const line = { bytes: Buffer.concat(begun), isTooLong: length > maxBytes, end: at, number };
    begun = [];
    length = 0;
    if (line.isTooLong || !line.bytes.every(isSpace)) found.push(read(line));
  };
  for await (const piece of source) {
    for (let from = 0; from < piece.length; ) {
      const found: T[] = [];
      await inTurn((isOver) => {
        do {
          const place = piece.indexOf(newline, from);
          const end = place < 0 ? piece.length : place;
          add(piece.subarray(from, end));
          at += Math.min(piece.length, end + 1) - from;
          from = end + 1;
          if (place >= 0) takeTo(found);
        } while (from < piece.length && !isOver());
      });
      signal.throwIfAborted();
      yield* found;
    }
  }
  const last: T[] = [];
  if (length > 0) await inTurn(() => takeTo(last));
  yield* last;
}

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0d || byte === 0x09;

const maxIdLength = 512;

/** Returns what a line asks for, or what is wrong with it. */
export function parseLine(
  { bytes, isTooLong }: RawLine,
  endpoint: BatchEndpoint,
): BatchLine | Omit<BatchFault, 'line'> {
  const fault = (code: string, message: string, param: string | null = null) => ({ code, message, param });
  if (isTooLong) return fault('line_too_long', 'The line is longer than a request may be');
  if (!isUtf8(bytes)) return fault('invalid_encoding', 'The line is not valid UTF-8');
  const excess = excessOf(bytes);
  if (excess) return fault('invalid_json_line', `The line has ${excess}`);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  } catch {
    const beginning = excerpt(bytes.toString('utf8', 0, 40));
    return fault(
      'invalid_json_line',
      `The line is not valid JSON, as each line must be. It begins with ${beginning}`,
    );
  }
  if (!isObject(value)) return fault('invalid_json_line', 'The line must be a JSON object');
  const { custom_id: customId, method, url, body } = value;
  if (typeof customId !== 'string' || customId === '' || customId.length > maxIdLength)
    return fault(
      'invalid_custom_id',
      `custom_id must be a text of 1 to ${maxIdLength} characters`,
      'custom_id',
    );
  if (method !== 'POST') return fault('invalid_method', 'method must be "POST"', 'method');
  if (url !== endpoint)
    return fault('mismatched_url', `url must be "${endpoint}", as the batch's endpoint is`, 'url');
  if (!isObject(body)) return fault('invalid_body', 'body must be a JSON object', 'body');
  return { customId, body };
}
