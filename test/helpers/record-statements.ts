import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

// `node --import 'record-statements.ts?DIRECTORY'` writes each statement that the process and its threads prepare on
// SQLite to a file of the directory, whose URL ends with a slash. statement-plans.ts explains them.

const directory = new URL(import.meta.url).search.slice(1);
const seen = new Set<string>();
const { prepare } = DatabaseSync.prototype;

DatabaseSync.prototype.prepare = function (sql, ...rest) {
  const statement = prepare.call(this, sql, ...rest);
  if (!seen.has(sql)) {
    seen.add(sql);
    keep(sql);
  }
  return statement;
};

function keep(sql: string): void {
  // Rows that are inserted are not read.
  if (!/^\s*(select|with|update|delete)\b|\bselect\b/i.test(sql) || /^\s*(explain|create)\b/i.test(sql))
    return;
  // A list of any length has the same plan.
  const text = sql.replace(/\bin \(\?(, \?)*\)/gi, 'in (?, ?)');
  try {
    writeFileSync(new URL(hash('sha256', text), directory), text);
  } catch {
    // The directory ends with the run, and a process that a test has left behind may live longer.
  }
}
