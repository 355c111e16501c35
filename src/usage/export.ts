import { dayText, type Period } from './period.ts';
import { type UsageReader, type UsageRow, usageFigures } from './reports.ts';

/** Days per read. Bounds the memory: a year of a thousand keys is never held at once. */
const daysPerRead = 14;

/** `excel`: CSV with a byte order mark. */
export type ExportFormat = 'csv' | 'excel' | 'json';

interface Exported {
  readonly orgId: string;
  readonly period: Period;
  readonly keyId: string | null;
}

interface Sources {
  readonly usage: UsageReader;
  readonly keys: { byId(orgId: string, rows: readonly UsageRow[]): Promise<Map<string, { name: string }>> };
}

/** Yields the pieces of a file with one row per day, key and model. */
export async function* exportUsage(
  sources: Sources,
  exported: Exported,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format !== 'json') {
    yield `${format === 'excel' ? '\ufeff' : ''}day,key_id,key_name,${usageFigures.join(',')},model\r\n`;
    for await (const { rows, names } of chunks(sources, exported)) {
      yield rows.map((row) => csvLine(row, names.get(row.keyId)?.name ?? '')).join('');
    }
    return;
  }
  yield '{"object":"list","data":[';
  let separator = '\n';
  for await (const { rows, names } of chunks(sources, exported)) {
    for (const row of rows) {
      yield separator + jsonLine(row, names.get(row.keyId)?.name ?? null);
      separator = ',\n';
    }
  }
  yield '\n]}\n';
}

/** Rows of some days, and their keys by id. */
interface Chunk {
  readonly rows: readonly UsageRow[];
  readonly names: ReadonlyMap<string, { readonly name: string }>;
}

async function* chunks({ usage, keys }: Sources, { orgId, period, keyId }: Exported): AsyncGenerator<Chunk> {
  for (let day = period.firstDay; day < period.endDay; day += daysPerRead) {
    const rows = await usage.rows(orgId, day, Math.min(day + daysPerRead, period.endDay));
    const wanted = keyId === null ? rows : rows.filter((row) => row.keyId === keyId);
    if (wanted.length === 0) continue;
    yield { rows: wanted, names: await keys.byId(orgId, wanted) };
  }
}

/**
 * Matches every place in a name where a spreadsheet could see the start of a formula. Many spreadsheets split cells at
 * a separator other than the comma, and quotation marks inside a cell then have no effect.
 */
const formulaStart = /(^|\r\n|[,;|\t\r\n])(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]|(?<!.)[\t\r])/g;

/** Returns a line as RFC 4180 defines it, with an apostrophe before anything that could be a formula. */
function csvLine(row: UsageRow, name: string): string {
  const figures = usageFigures.map((column) => row[column]);
  return `${[dayText(row.day), row.keyId, csvCell(name), ...figures, csvCell(row.model)].join(',')}\r\n`;
}

function csvCell(text: string): string {
  const harmless = text.replace(formulaStart, "$1'");
  return /[",;|\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function jsonLine({ day, keyId, model, ...figures }: UsageRow, name: string | null): string {
  return JSON.stringify({
    day: dayText(day),
    key_id: keyId,
    key_name: name,
    ...figures,
    model: model || null,
  });
}
