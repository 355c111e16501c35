import { InputRefused, UpstreamFailure } from './failures.ts';

/** Statuses of a server that is there, and may well answer the next time. */
const repeatable = [408, 425, 429, 502, 503, 504];
/** Those that only ask to come later. A gateway's 502 or 504 may well be a server that one of the texts has brought down. */
const passing = [408, 425, 429, 503];
const notImplemented = 501;
const tooLong = [
  /context.{0,20}(length|window|size)/i,
  /(too|very) (long|large|many tokens)/i,
  /max(imum)?[ _-]?(model|input|sequence|context|position)?[ _-]?(length|len|tokens)/i,
  /must have less than \d+ tokens/i,
  /exceed/i,
  /reads at most/i,
];

/** Whether the same request may well get another status the next time. */
export const isPassing = (status: number): boolean =>
  passing.includes(status) || (status >= 500 && status !== notImplemented);

/**
 * What a status other than 200 means. Nothing of the body is passed on: servers repeat keys and texts in it. The body
 * only helps to tell a text that is too long from whatever else a 400 may be.
 */
export function failureOf(response: Response, body: string): UpstreamFailure | InputRefused {
  const { status } = response;
  if (status === 401 || status === 403) {
    return new UpstreamFailure(`refuses the key (${status}): set the right one`, { isConfiguration: true });
  }
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    return new UpstreamFailure(`answers ${status}: are the address and the model's name right?`, {
      isConfiguration: true,
    });
  }
  if (status === 400 || status === 413 || status === 422) {
    const isTooLong = status === 413 || tooLong.some((pattern) => pattern.test(body));
    return new InputRefused(`answers ${status}`, isTooLong);
  }
  return new UpstreamFailure(status === 429 ? 'answers 429: its own limit is reached' : `answers ${status}`, {
    mayRepeat: repeatable.includes(status),
    isPassing: passing.includes(status),
    isBusy: status === 429,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
  });
}

/** RFC 9110: seconds, or a date. */
function retryAfterMs(value: string | null): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** A request that got no answer, or not all of one. Rethrows what is no failure of a connection. */
export function connectionFailure(reason: unknown): UpstreamFailure {
  if (reason instanceof DOMException && reason.name === 'TimeoutError') {
    return new UpstreamFailure('does not answer in time');
  }
  // As `fetch` has all that goes wrong on the network.
  if (!(reason instanceof TypeError)) throw reason;
  const { code = 'no code' } = (reason.cause ?? {}) as NodeJS.ErrnoException;
  return new UpstreamFailure(`can't be reached, or breaks off (${code})`, { mayRepeat: true });
}
