import { fieldsOf } from '../../small/src/json.ts';
import { noResponse } from '../../small/src/no-response.ts';
import { retryAfterMs } from '../../small/src/retry.ts';
import { InputRefused, UpstreamFailure } from './failures.ts';

/** Statuses after which the same request may succeed. */
const repeatable = [408, 425, 429, 502, 503, 504, 520, 529];
/** Statuses that are never about a text. A gateway's 502 or 504 can be a server that one of the texts crashed. */
const passing = [408, 425, 429, 503];
const notImplemented = 501;
const tooLong = [
  /context.{0,20}(length|window|size)/i,
  /(too|very) (long|large|many tokens)/i,
  /max(imum)?[ _-]?(model|input|sequence|context|position)?[ _-]?(length|len|tokens)/i,
  /(less|shorter|longer|more) than \d+ (token|character)/i,
  /exceed.{0,60}(token|length|context|max|size)/i,
  /(length|size).{0,20}exceed/i,
  /reads at most/i,
  /at most \d+ (token|character)/i,
  /input length should be/i,
  /reduce the length/i,
];
/** Words of errors about something else that also has a size. They are phrases, because some errors repeat the text. */
const notTooLong = /tokens per minute|unsupported parameter|dimensions exceed/i;
/** The words of servers that return 500 for a text that is too long. Any other 500 is a failure of the server. */
const tooLongAs500 = [
  /too large to process/i,
  /(input|prompt|sequence) length .{0,40}(exceed|longer)|exceed.{0,40}(context|sequence) (length|size|window)/i,
  /max(imum)? context (length|size)/i,
  /size of (the )?tensor.{0,80} must match/i,
];

/** Reports whether the same request may get another status the next time. */
export const isPassing = (status: number): boolean =>
  passing.includes(status) || (status >= 500 && status !== notImplemented);

/**
 * Returns the error for a status other than 200. The body only serves to recognize texts that are too long. It is never
 * part of the message, because servers repeat keys and texts in it.
 */
export function failureOf(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: string,
): UpstreamFailure | InputRefused {
  if (status === 401 || status === 403) {
    return new UpstreamFailure(`refuses the key (${status}): set the correct one`, {
      isConfiguration: true,
      isFinal: status === 403,
    });
  }
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    return new UpstreamFailure(`returns ${status}: are the address and the model's name correct?`, {
      isConfiguration: true,
      isFinal: true,
    });
  }
  if (status === 500 && tooLongAs500.some((pattern) => pattern.test(body)))
    return new InputRefused('returns 500', true);
  if (status === 400 || status === 413 || status === 422) {
    const isTooLong =
      status === 413 || (!notTooLong.test(body) && tooLong.some((pattern) => pattern.test(body)));
    return new InputRefused(`returns ${status}`, isTooLong);
  }
  return new UpstreamFailure(status === 429 ? 'returns 429: its own limit is reached' : `returns ${status}`, {
    mayRepeat: repeatable.includes(status),
    isPassing: passing.includes(status),
    isBusy: status === 429,
    // A program in Go that can't write a vector with NaN as JSON says so.
    isFinal: (status < 500 && !repeatable.includes(status)) || /unsupported value: NaN/.test(body),
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
  });
}

/**
 * Returns the status that the error in a response with status 200 states, 500 if none, or undefined if there is no
 * error.
 */
export function statedStatus(json: unknown): number | undefined {
  const { error, data, results } = fieldsOf(json);
  if (!error || data || results) return undefined;
  const { code, status = code } = fieldsOf(error);
  const stated = Number(status);
  return stated >= 400 && stated < 600 ? stated : 500;
}

/** Returns the failure for a missing or incomplete response. Rethrows errors that are not about the connection. */
export function connectionFailure(reason: unknown): UpstreamFailure {
  if (reason instanceof DOMException && reason.name === 'TimeoutError') {
    return new UpstreamFailure('does not respond in time');
  }
  // `fetch` reports all network errors as TypeError.
  if (!(reason instanceof TypeError)) throw reason;
  return new UpstreamFailure(`can't be reached, or closes the connection (${noResponse(reason)})`, {
    mayRepeat: true,
  });
}
