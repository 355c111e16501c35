import assert from 'node:assert/strict';

/** What differs from run to run, and the placeholder for both sides. */
const variable: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:8080'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '(id)'],
  [/\bsk_[0-9a-f]{64}\b/g, 'sk_…'],
  [/\bsk_…[0-9a-f]{4}\b/g, 'sk_…'],
  // The fingerprint of a model.
  [/\b[0-9a-f]{64}\b/g, '…'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{3})?)?Z/g, '(time)'],
  [/\b\d{4}-\d\d\b(?!-)/g, '(month)'],
  [/\b([tw])=\d+/g, '$1=(seconds)'],
  [/^(\s*retry-after:\s+)\d+/gim, '$1(seconds)'],
];

/** CPUs of different kinds agree to this in int8: see docs/int8.md. */
const vectorTolerance = 2e-3;

/**
 * Fails unless a command's output is the one that a page shows, except for ids, secrets, times and the rest
 * of a vector.
 */
export function assertShown(language: string, shown: string, actual: string): void {
  if (language !== 'json') {
    assert.equal(comparable(actual), comparable(shown));
    return;
  }
  // A vector that is shown as [0.1, 0.2, …] matches a longer one that begins so.
  const expected: unknown = JSON.parse(shown.replace(/,\s*…\s*\]/g, ',"…"]'));
  assert.deepEqual(abridged(JSON.parse(actual), expected), abridged(expected, expected));
}

function comparable(text: string): string {
  // What npm prints before a script runs.
  const lines = text.split('\n').filter((line) => !line.startsWith('> '));
  return withoutVariable(lines.join('\n'))
    .replace(/ {2,}/g, '  ')
    .replace(/[ \r]+$/gm, '')
    .trim();
}

function withoutVariable(text: string): string {
  return variable.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}

/** The part of `value` that `shown` shows. Fails when the shown part of a vector is not the vector's. */
function abridged(value: unknown, shown: unknown): unknown {
  if (typeof value === 'string') return withoutVariable(value);
  if (Array.isArray(value) && Array.isArray(shown) && shown.at(-1) === '…') {
    if (value !== shown) assertVector(value, shown.slice(0, -1));
    return '(vector)';
  }
  if (Array.isArray(value))
    return value.map((item, i) => abridged(item, (shown as unknown[] | undefined)?.[i]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      abridged(item, (shown as Record<string, unknown> | undefined)?.[name]),
    ]),
  );
}

function assertVector(vector: readonly number[], shown: readonly number[]): void {
  shown.forEach((number, i) => {
    assert.ok(
      Math.abs(number - (vector[i] ?? Number.NaN)) < vectorTolerance,
      `${vector[i]} is shown as ${number}`,
    );
  });
  const squares = vector.reduce((sum, number) => sum + number * number, 0);
  assert.equal(vector.length, 384);
  assert.ok(Math.abs(squares - 1) < vectorTolerance, 'the vector is not a unit vector');
}
