import { dayText, type Period } from './period.ts';
import type { UsageReader, UsageRow } from './reports.ts';

const columns = ['counted', 'cached', 'failed', 'texts', 'tokens'] as const;
/** Days read at a time: a year of a thousand keys is never in memory at once. */
const daysPerRead = 14;

export type ExportFormat = 'csv' | 'json';

interface Exported {
  readonly orgId: string;
  readonly period: Period;
  readonly keyId: string | null;
  readonly names: ReadonlyMap<string, string>;
}

/** Each key's each day, as a file, piece by piece. */
export async function* exportUsage(
  reader: UsageReader,
  exported: Exported,
  format: ExportFormat,
): AsyncGenerator<string> {
  const { names } = exported;
  if (format === 'csv') {
    yield `day,key_id,key_name,${columns.join(',')}\r\n`;
    for await (const rows of chunks(reader, exported)) {
      yield rows.map((row) => csvLine(row, names.get(row.keyId) ?? '')).join('');
    }
    return;
  }
  yield '{"object":"list","data":[';
  let separator = '\n';
  for await (const rows of chunks(reader, exported)) {
    for (const row of rows) {
      yield separator + jsonLine(row, names.get(row.keyId) ?? null);
      separator = ',\n';
    }
  }
  yield '\n]}\n';
}

async function* chunks(reader: UsageReader, { orgId, period, keyId }: Exported): AsyncGenerator<UsageRow[]> {
  for (let day = period.firstDay; day < period.endDay; day += daysPerRead) {
    const rows = await reader.rows(orgId, day, Math.min(day + daysPerRead, period.endDay));
    const wanted = keyId === null ? rows : rows.filter((row) => row.keyId === keyId);
    if (wanted.length > 0) yield wanted;
  }
}

/**
 * Where a cell of a name could begin that a spreadsheet takes for a formula. Many spreadsheets split at another separator than the
 * comma, and then a quotation mark inside of a cell quotes nothing.
 */
const formulaStart = /(^|\r\n|[,;|\t\r\n])(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]|(?<!.)[\t\r])/g;

/** RFC 4180, with an apostrophe before what would be a formula. */
function csvLine(row: UsageRow, name: string): string {
  const harmless = name.replace(formulaStart, "$1'");
  const quoted = /[",;|\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
  return `${[dayText(row.day), row.keyId, quoted, ...columns.map((column) => row[column])].join(',')}\r\n`;
}

function jsonLine({ day, keyId, ...figures }: UsageRow, name: string | null): string {
  return JSON.stringify({ day: dayText(day), key_id: keyId, key_name: name, ...figures });
}
