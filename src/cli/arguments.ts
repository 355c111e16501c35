/** Parsers of option values. An invalid value is a usage error. */
import { InvalidArgumentError } from 'commander';
import { invalidRequest } from '../errors.ts';
import { allScopes, type Scope } from '../keys/rights.ts';
import { storedId } from '../lib/ids.ts';
import { windowAt } from '../quota/window.ts';

const unitMs = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  y: 365 * 86_400_000,
};
const maxDurationMs = 1_000 * unitMs.y;

/** Parses a duration such as `90d` into milliseconds. Units: s, m, h, d, w (7 days), y (365 days). */
export function parseDuration(text: string): number {
  const [, count, unit] = /^(\d{1,12})([smhdwy])$/.exec(text) ?? [];
  const durationMs = Number(count) * unitMs[unit as keyof typeof unitMs];
  if (durationMs > 0 && durationMs <= maxDurationMs) return durationMs;
  throw new InvalidArgumentError(
    'Give a number and a unit, such as 45s, 30m, 12h, 90d, 2w or 1y (up to 1000y).',
  );
}

/** Parses a duration, or `never` into Infinity. */
export function parseLifetime(text: string): number {
  if (text === 'never') return Number.POSITIVE_INFINITY;
  try {
    return parseDuration(text);
  } catch {
    throw new InvalidArgumentError(
      'Give "never", or a number and a unit, such as 45s, 30m, 12h, 90d, 2w or 1y (up to 1000y).',
    );
  }
}

/** Parses a scope, after those of the option before it. */
export function parseScopes(text: string, others: Scope[] = []): Scope[] {
  const scope = allScopes.find((known) => known === text);
  if (scope) return [...others, scope];
  throw new InvalidArgumentError(`Give one of ${allScopes.join(', ')}.`);
}

/** Parses values that are separated by commas, after those of the option before it. */
export const parseList = (text: string, others: string[] = []): string[] => [...others, ...text.split(',')];

/** Parses a SHA-256 in hexadecimal. */
export function parseDigest(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('Give the SHA-256 of the secret: 64 hexadecimal digits.');
}

/** Parses a month such as `2026-11` into its first moment in UTC, in milliseconds since the Unix epoch. */
export function parseMonth(text: string): number {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  const startMs = Date.UTC(Number(year), Number(month) - 1, 1);
  if (startMs >= 0) return windowAt('month', startMs).startMs;
  throw new InvalidArgumentError('Give a year and a month from 1970-01 on, such as 2026-11.');
}

/** Returns an identifier as the database stores it. Other text is returned unchanged and matches nothing. */
export function parseId(text: string): string {
  // The error for an unknown id would repeat it.
  if (/^sk_|_[0-9a-f]{64}/.test(text))
    throw invalidRequest('That is a key, not an id: "embedgate keys list" shows the ids');
  return storedId(text) ?? text;
}

export function parseCount(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number.');
}

/** Returns a parser of a whole number of `what`. */
export const countFrom = (min: number, max: number, what: string) => {
  return (text: string): number => {
    const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (count >= min && count <= max) return count;
    throw new InvalidArgumentError(`Give a whole number of ${what} from ${min} to ${max}.`);
  };
};
