import assert from 'node:assert/strict';
import type { Finished } from '../helpers/embedgate.ts';

/** Done: exit code 0. Answers what was printed. */
export function done({ code, stdout, stderr }: Finished): string {
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Refused: exit code 1, nothing on stdout, and the reason on one line of stderr. Answers the reason. */
export function refused({ code, stdout, stderr }: Finished): string {
  assert.equal(code, 1, stderr);
  assert.equal(stdout, '');
  const [, reason] = /^embedgate: ([^\n]+)\n$/.exec(stderr) ?? [];
  assert.ok(reason, stderr);
  return reason;
}

/** Wrong usage: exit code 2, nothing on stdout, and on stderr what is wrong and how it is used. Answers what is wrong. */
export function wrongUsage({ code, stdout, stderr }: Finished): string {
  assert.equal(code, 2, stderr);
  assert.equal(stdout, '');
  const [, fault] =
    /^embedgate: ([\s\S]+)\nUsage: embedgate .+\nMore: {2}embedgate .*--help\n$/.exec(stderr) ?? [];
  assert.ok(fault, stderr);
  return fault;
}
