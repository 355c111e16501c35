import { neverMs } from '../keys/key.ts';
import type { OnProgress } from '../keys/signing-rotation.ts';
import { isoSeconds, isoTime } from '../lib/clock.ts';
import { withoutControls } from '../lib/harmless.ts';
import type { Standing } from '../quota/decide.ts';
import { columns } from './table.ts';

/** Prints the result of a command on stdout, as one JSON document or as text. */
export function printResult(options: { json?: boolean }, value: unknown, text: () => string): void {
  console.log(options.json ? json(value) : text());
}

/**
 * Escapes all control characters, and those that reorder text. JSON.stringify escapes only those below 0x20, but some
 * terminals also obey 0x7f to 0x9f.
 */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\x7f-\x9f\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Prints a list in the API's JSON form or as text. `none` is the message for an empty list. */
export function printList(
  options: { json?: boolean },
  data: readonly unknown[],
  text: () => string,
  none: string,
): void {
  if (options.json || data.length > 0) printResult(options, { object: 'list', data }, text);
  else tell(none);
}

/**
 * Prints a list as its pages arrive: as text, a part of the table for each. JSON is one document. `row` returns the
 * values of a row's columns.
 */
export async function printPages<T>(
  options: { json?: boolean },
  pages: AsyncIterable<readonly T[]>,
  shown: {
    readonly head: readonly string[];
    readonly row: (item: T) => readonly (string | number)[];
    readonly view: (item: T) => unknown;
    /** The message for an empty list. */
    readonly none: string;
  },
): Promise<void> {
  if (options.json) {
    const data = (await Array.fromAsync(pages)).flat().map(shown.view);
    return printResult(options, { object: 'list', data }, () => '');
  }
  const widths: number[] = [];
  let { head } = shown;
  for await (const page of pages) {
    if (page.length === 0) break;
    console.log(columns(head, page.map(shown.row), widths));
    head = [];
  }
  if (head.length > 0) tell(shown.none);
}

/** Prints a message that is not part of the result, on stderr. */
export function tell(message: string): void {
  console.error(withoutControls(message));
}

/** Runs `body` with a progress bar on stderr if that is a terminal, otherwise without. `format` formats an amount. */
export async function withProgress<R>(
  what: string,
  body: (onProgress: OnProgress) => Promise<R>,
  format: (amount: number) => string = String,
): Promise<R> {
  if (!process.stderr.isTTY) return body(() => {});
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    format: `${what} {bar} {value}/{total}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
    stream: process.stderr,
    formatValue: (value, _options, type) =>
      type === 'value' || type === 'total' ? format(value) : String(value),
  });
  try {
    return await body((done, total) => (done === 0 ? bar.start(total, 0) : bar.update(done)));
  } finally {
    bar.stop();
  }
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Returns the time to the minute, in UTC: `2026-11-21T03:54Z`. */
export function minute(ms: number): string {
  return isoTime(ms).replace(/:\d\d\.\d{3}Z$/, 'Z');
}

/** Returns the time to the minute, or `never` for the last moment of the year 9999. */
export function expiry(ms: number): string {
  return ms >= neverMs ? 'never' : minute(ms);
}

/** Returns when a quota resets, to the minute, or to the second if the window is a second. */
export function reset({ window, resetsAtMs }: Standing): string {
  return window === 'second' ? isoSeconds(resetsAtMs) : minute(resetsAtMs);
}
