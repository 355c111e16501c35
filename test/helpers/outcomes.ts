import assert from 'node:assert/strict';
import type { Finished } from './embedgate.ts';

/** Expects exit code 0 and returns the output. */
export function done({ code, stdout, stderr }: Finished): string {
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Expects exit code 1, nothing on stdout and one line on stderr. Returns that line, the reason. */
export function refused({ code, stdout, stderr }: Finished): string {
  assert.equal(code, 1, stderr);
  assert.equal(stdout, '');
  const [, reason] = /^embedgate: ([^\n]+)\n$/.exec(stderr) ?? [];
  assert.ok(reason, stderr);
  return reason;
}

/** Expects exit code 2, nothing on stdout, and the error and the usage on stderr. Returns the error. */
export function wrongUsage({ code, stdout, stderr }: Finished): string {
  assert.equal(code, 2, stderr);
  assert.equal(stdout, '');
  const [, fault] =
    /^embedgate: ([\s\S]+)\nUsage: embedgate .+\nMore: {2}embedgate .*--help\n$/.exec(stderr) ?? [];
  assert.ok(fault, stderr);
  return fault;
}
